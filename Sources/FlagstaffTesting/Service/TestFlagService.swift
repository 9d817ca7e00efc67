import FlagLocking
import FlagModel
public import Flagstaff
import Foundation

/// A flag service in memory that a test controls, and the maker of real clients on it.
///
/// ```swift
/// let service = TestFlagService(values: ["new-checkout": true, "max-items": 20])
/// let flags = service.makeClient()
/// await flags.start(context: FlagContext(key: "user-123"))
///
/// service.setValue(false, for: "new-checkout")
/// #expect(!flags.isEnabled("new-checkout"))
/// ```
///
/// Only the network is replaced. Requests, answers and the stream are those of a real service, down to the bytes, so a
/// client behaves as it does in an app. No socket and no file is opened.
///
/// **When values arrive.** With ``Delivery/streaming``, the default, a value that is set has arrived in every client
/// that is up to date when the control returns: reads on any thread give it, watchers and events have been told. That
/// holds on any thread, with other threads at work on the same client, and from inside a logger or another control. A
/// client whose start or change of context is still on its way gets the value with that answer; one whose stream is
/// down, with its next connection or request.
///
/// **From any thread.** All members can be used from any thread. Changes take effect one after the other, in all clients
/// in the same order.
public final class TestFlagService: Sendable {
    /// How a service tells its clients that something has changed.
    ///
    /// Open: later versions can add some.
    public struct Delivery: RawRepresentable, Hashable, Sendable {
        /// The way's name.
        public let rawValue: String

        /// Makes a way from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Over the stream `flagstaff.evaluations`, which carries the values themselves.
        public static let streaming = Delivery(rawValue: "streaming")
        /// Over the standard's stream of notices, upon which clients ask within half a second, by their clock.
        public static let notices = Delivery(rawValue: "notices")
        /// Not at all: clients find out when they ask.
        public static let polling = Delivery(rawValue: "polling")
    }

    let model: Lock<ServiceModel>
    let signal = ChangeSignal()

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - values: What it serves to every context, by flag. Default: nothing.
    ///   - delivery: How it tells its clients of changes. Default ``Delivery/streaming``.
    public init(values: [String: FlagValue] = [:], delivery: Delivery = .streaming) {
        let flags = [FlagResolution].values(values)
        model = Lock(
            ServiceModel(
                flags: Dictionary(flags.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last }),
                delivery: delivery))
        model.withLock { $0.service = self }
    }

    // MARK: Clients

    /// Makes a client of this service.
    ///
    /// It is not started, as the code under test usually does that; with nothing held and nothing failing, `start`
    /// returns at once. The client holds the service, not the other way round. It reports no telemetry and stores nothing
    /// unless the closure turns telemetry on (see ``telemetry``) or gives it a storage, such as a `MemoryFlagStorage`.
    ///
    /// - Parameters:
    ///   - clock: The clock that its timers follow. Default: the system's time.
    ///   - configure: Changes the configuration, which is an app's default one with an endpoint and a key of its own.
    ///     One that no client can be made with is a fault of the test, and stops it with a message.
    /// - Returns: The client.
    public func makeClient(
        clock: TestClock? = nil, _ configure: (inout FlagClientConfiguration) -> Void = { _ in }
    ) -> FlagClient {
        guard let endpoint = URL(string: "https://flags.test") else { preconditionFailure("a valid address") }
        var configuration = FlagClientConfiguration(endpoint: endpoint, key: "test-client-key")
        configuration.telemetry.isEnabled = false
        configure(&configuration)
        let time: any TimeSource = clock ?? SystemTime()
        let number = model.withLock { model in
            model.lastClient += 1
            model.clients[model.lastClient] = ClientRecord(time: time)
            return model.lastClient
        }
        let transport = MemoryTransport(time: time, peer: ClientLink(service: self, number: number))
        do {
            let address = try ServiceAddress(configuration)
            let client = FlagClient(
                service: address, configuration: configuration, transport: transport, time: time,
                cache: Self.cache(configuration, address, time), reads: nil)
            model.withLock { $0.clients[number]?.core = client.core }
            return client
        } catch {
            preconditionFailure("the configuration of the test's client cannot work: \(error)")
        }
    }

    /// Where a client stores that is given a storage of the test's; nothing else is ever stored.
    private static func cache(
        _ configuration: FlagClientConfiguration, _ service: ServiceAddress, _ time: any TimeSource
    ) -> SnapshotCache? {
        guard configuration.storage != nil else { return nil }
        return SnapshotCache(
            ClientStorage(configuration, service: service, time: time), policy: configuration.cache)
    }

    /// Makes a client of this service and starts it.
    ///
    /// - Parameters:
    ///   - context: Whom the flags are evaluated for. Default: the targeting key `test-user`.
    ///   - clock: The clock that its timers follow. Default: the system's time.
    ///   - configure: Changes the configuration.
    /// - Returns: The client, with the service's values unless something is held or fails.
    public func makeStartedClient(
        context: FlagContext = FlagContext(key: "test-user"), clock: TestClock? = nil,
        _ configure: (inout FlagClientConfiguration) -> Void = { _ in }
    ) async -> FlagClient {
        let client = makeClient(clock: clock, configure)
        await client.start(context: context)
        return client
    }

    /// How many clients there are that are neither closed nor let go of.
    public var clientCount: Int { model.withLock { $0.clients.count } }

    // MARK: One step after the other

    /// Changes the service and hands what comes of it to the clients, in one step.
    ///
    /// The clients put off what they do about it until the lock is released, so nothing of theirs, no logger and no
    /// timer, runs inside.
    ///
    /// - Parameters:
    ///   - number: The only client that the step concerns. Default: all of them.
    ///   - request: A request whose context the step needs besides those in use.
    ///   - change: The step.
    /// - Returns: What the step gives.
    func update<Result>(
        of number: ServiceModel.ClientNumber? = nil, answering request: MemoryExchange? = nil,
        _ change: (inout ServiceModel) -> Result
    ) -> Result {
        // Clients are kept until after the lock: letting go of a last reference inside would come back here.
        var cores: [ClientCore] = []
        var deferred: [ClientCore] = []
        var result: Result?
        while result == nil {
            let (evaluation, version, inUse): (ServiceModel.Evaluation?, Int, Set<FlagContext>) =
                model.withLock { model in
                    guard let evaluation = model.evaluation else { return (nil, model.evaluationVersion, []) }
                    cores += model.clients.values.compactMap(\.core)
                    return (evaluation, model.evaluationVersion, model.contextsInUse)
                }
            // The test's own code, outside the lock; if something else happens meanwhile, once more.
            let contexts = inUse.union([request.flatMap(TestRequest.context(of:))].compactMap { $0 })
            let evaluated = evaluation.map { evaluation in
                Dictionary(uniqueKeysWithValues: contexts.map { ($0, evaluation($0)) })
            }
            result = model.withLock { model in
                cores += model.clients.values.compactMap(\.core)
                guard model.evaluationVersion == version,
                    model.evaluation == nil || model.contextsInUse.isSubset(of: contexts)
                else { return nil }
                for client in model.clients where number == nil || client.key == number {
                    guard let core = client.value.core else { continue }
                    core.deferEffects()
                    deferred.append(core)
                }
                model.evaluated = evaluated ?? [:]
                defer { model.evaluated = [:] }
                return change(&model)
            }
        }
        for core in deferred { core.performDeferredEffects() }
        let answers = model.withLock { model in
            defer { model.answers = [] }
            return model.answers
        }
        for answer in answers { answer() }
        signal.notify()
        guard let result else { preconditionFailure("a step gives a result") }
        return result
    }
}

/// What connects a client's transport to its service.
private struct ClientLink: MemoryPeer {
    let service: TestFlagService
    let number: ServiceModel.ClientNumber

    func received(_ exchange: MemoryExchange) {
        service.update(of: number, answering: exchange) { $0.receive(exchange, from: number) }
    }

    func lost(_ exchange: MemoryExchange) {
        service.model.withLock { $0.forget(exchange, of: number) }
        service.signal.notify()
    }

    func closed() {
        service.model.withLock { $0.removeClient(number) }
        service.signal.notify()
    }
}

extension TestFlagService.Delivery: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
