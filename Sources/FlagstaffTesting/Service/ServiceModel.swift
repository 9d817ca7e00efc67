import FlagModel
import Flagstaff
import Foundation

/// What a ``TestFlagService`` knows: flags, what is to fail or wait, clients, records.
///
/// Its methods run inside the service's lock and hand answers to the clients there: evaluating, and making the values
/// readable, are one step, so that no client can be given older values after newer ones. The clients' effects are put
/// off meanwhile (see ``TestFlagService/update(of:_:)``), so no code of a test runs inside the lock.
struct ServiceModel: Sendable {
    typealias ClientNumber = Int
    typealias Evaluation = @Sendable (FlagContext) -> [FlagResolution]

    /// What is done with the next request of a kind.
    enum Arm: Sendable {
        case hold
        case fail(TestFault)
    }

    // What is served.
    var flags: [String: FlagResolution] = [:]
    var metadata: [String: FlagValue] = [:]
    var evaluation: Evaluation?
    /// Grows with each change of what is served; part of the ETag.
    var version = 1
    /// Grows when ``evaluation`` is replaced.
    var evaluationVersion = 0
    /// What ``evaluation`` gives for the contexts that the step in progress needs.
    var evaluated: [FlagContext: [FlagResolution]] = [:]

    // How it is served.
    var delivery: TestFlagService.Delivery
    var isOffline = false
    var fault: TestFault?
    var streamFault: TestFault?
    var answerDelay = 0.0
    var heartbeatInterval: Double? = 15
    var arms: [TestRequest.Kind: Arm] = [:]

    // Whom it serves.
    var clients: [ClientNumber: ClientRecord] = [:]
    var lastClient = 0
    var held: [HeldExchange] = []

    // What happened.
    var requests: [TestRequest] = []
    var lastRequest = 0

    /// Answers to requests that are none for flags: not of the client's core, so given outside the lock.
    var answers: [@Sendable () -> Void] = []

    weak var service: TestFlagService?

    init(flags: [String: FlagResolution], delivery: TestFlagService.Delivery) {
        self.flags = flags
        self.delivery = delivery
    }

    // MARK: What is served

    /// All that a context is served.
    struct Served: Sendable {
        var context: FlagContext
        var resolutions: [String: FlagResolution]
        var metadata: [String: FlagValue]
        var etag: String

        /// The answer to a request for all flags.
        func evaluation(announcing streams: [EventStream]) -> BulkEvaluation {
            BulkEvaluation(
                flags: resolutions.values.sorted { $0.key < $1.key }, eventStreams: streams,
                metadata: metadata)
        }
    }

    /// What a context is served now.
    func served(to context: FlagContext) -> Served {
        var resolutions = flags
        for resolution in evaluated[context] ?? [] { resolutions[resolution.key] = resolution }
        let fingerprint = String(context.fingerprint.high, radix: 16)
        return Served(
            context: context, resolutions: resolutions, metadata: metadata,
            etag: "\"\(version)-\(fingerprint)\"")
    }

    /// The streams that answers announce.
    var announcedStreams: [EventStream] {
        switch delivery {
        case .streaming:
            [EventStream(type: EventStream.evaluationsType, location: Self.evaluationsLocation)]
        case .notices: [EventStream(type: EventStream.refetchType, location: Self.noticesLocation)]
        default: []
        }
    }

    private static let evaluationsLocation = EventStream.Location.endpoint(
        requestURI: "/flagstaff/v1/evaluations", origin: nil)
    private static let noticesLocation = EventStream.Location.endpoint(
        requestURI: "/ofrep/v1/events", origin: nil)

    /// The contexts whose values the next step can need.
    var contextsInUse: Set<FlagContext> {
        var contexts = Set(held.compactMap(\.request.context))
        for client in clients.values {
            if let connection = client.core?.evaluationsConnection { contexts.insert(connection.context) }
            for stream in client.streams.values { contexts.formUnion([stream.context].compactMap { $0 }) }
        }
        return contexts
    }
}

/// A client of a ``TestFlagService``.
struct ClientRecord: Sendable {
    /// The client's shell; `nil` until it is made and after it is gone.
    weak var core: ClientCore?
    let time: any TimeSource
    /// What the client was given last in answer to a request.
    var answered: ServiceModel.Served?
    /// A connection that was served before its transport was asked to open it.
    var early: (id: Int, served: ServiceModel.Served)?
    /// The streams that have arrived, by the client's number.
    var streams: [Int: StreamRecord] = [:]
}

/// A stream that has arrived.
struct StreamRecord: Sendable {
    let exchange: MemoryExchange
    /// `nil` for a stream of notices.
    let context: FlagContext?
    /// What the client has; `nil` while the stream is held, and for a stream of notices.
    var served: ServiceModel.Served?
    /// Whether it was accepted.
    var isOpen = false
    var heartbeat: (any ScheduledTimer)?
}

/// A request that waits for its answer.
struct HeldExchange: Sendable {
    let exchange: MemoryExchange
    let client: ServiceModel.ClientNumber
    let request: TestRequest
    /// Answers it later; `nil` where the test does.
    var timer: (any ScheduledTimer)?
}
