import FaultProxy
import FlagEvaluation
import FlagLocking
import FlagModel
import FlagStore
import Foundation
import HTTPServer
import Testing

@testable import AbrovaFlags
@testable import FlagService
@testable import Flagstaff

/// A real service, a proxy before it, and clients as apps make them, whose values are in `UserDefaults`.
struct ServiceStage {
    static let key = "client-of-the-stage"

    let proxy: FaultProxy
    let defaults: UserDefaultsStorage
    private let source: Source

    /// Runs the body with a service that has these flags, in flagd's form, and closes everything afterwards.
    static func with(
        _ flags: [String: FlagValue], _ body: (ServiceStage) async throws -> Void
    ) async throws {
        let source = Source()
        let service = FlagService(
            source: source, keys: try ClientKeys([key]), configuration: FlagService.Configuration(),
            clock: { 1_700_000_000 })
        service.start()
        try source.publish(flags)
        let server = try HTTPServer.start(
            errorResponse: { service.errorResponse(for: $0) }, handler: { service.handle($0) })
        let proxy = try FaultProxy(servicePort: server.port)
        let suiteName = "flagstaff.test.\(UUID().uuidString)"
        let stage = ServiceStage(
            proxy: proxy, defaults: UserDefaultsStorage(suiteName: suiteName), source: source)
        do { try await body(stage) } catch { Issue.record(error) }
        service.stop()
        await server.shutdown(grace: 0.5)
        await proxy.stop()
        UserDefaults(suiteName: suiteName)?.removePersistentDomain(forName: suiteName)
    }

    /// Puts other flags into force.
    func publish(_ flags: [String: FlagValue]) throws {
        try source.publish(flags)
    }

    /// The configuration of the app.
    func config(key: String = ServiceStage.key, timeout: Double = 10) throws -> AbrovaFlagsConfig {
        AbrovaFlagsConfig(
            apiKey: key, baseURL: try #require(URL(string: proxy.url)), requestTimeoutSeconds: timeout,
            logLevel: .none)
    }

    /// A run of the app.
    func launch(_ config: AbrovaFlagsConfig) -> AbrovaFlags {
        let logger = config.logLevel.logger
        let memory = IdentityMemory(
            config, storage: defaults,
            installation: FlagIdentityStore(storage: defaults, logger: logger), logger: logger)
        return AbrovaFlags(
            config: config, client: config.makeClient(logger: logger, storage: defaults), memory: memory,
            logger: logger)
    }

    /// Ends a run of the app; all that is to be stored is stored then.
    func quit(_ flags: AbrovaFlags) async {
        flags.close()
        await flags.client.close()
        await flags.memory.flush()
    }

    /// A source that delivers what a test hands it.
    private final class Source: FlagSource {
        let name = "stage"
        private let deliver = Lock<(@Sendable (FlagSourceUpdate) -> Void)?>(nil)

        func start(_ deliver: @escaping @Sendable (FlagSourceUpdate) -> Void) {
            self.deliver.withLock { $0 = deliver }
        }

        func stop() {
            deliver.withLock { $0 = nil }
        }

        func publish(_ flags: [String: FlagValue]) throws {
            let update = FlagSourceUpdate.rules(try Ruleset(definition: ["flags": .object(flags)]))
            let deliver = deliver.withLock { $0 }
            deliver?(update)
        }
    }
}
