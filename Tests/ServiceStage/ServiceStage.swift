package import FaultProxy
import FlagEvaluation
import FlagLocking
package import FlagModel
package import FlagService
import FlagStore
package import Foundation
import HTTPServer

/// A real service with flags of a test's, and a proxy before it that can break connections.
///
/// Clients reach it at ``url``, which stays the same when the service is stopped and started again.
package final class ServiceStage: Sendable {
    private struct Running: Sendable {
        let source: StageSource
        let service: FlagService
        let server: HTTPServer
    }

    /// The one key that the service lets in.
    package static let key = "client-of-the-stage"
    /// What stands between clients and the service.
    package let proxy: FaultProxy
    /// Where clients find the service.
    package let url: URL
    private let running: Lock<Running?>
    private let flags: Lock<[String: FlagValue]>

    private init(_ flags: [String: FlagValue]) throws {
        let running = try Self.serve(flags)
        proxy = try FaultProxy(servicePort: running.server.port)
        guard let url = URL(string: proxy.url) else { preconditionFailure("a proxy's address is one") }
        self.url = url
        self.running = Lock(running)
        self.flags = Lock(flags)
    }

    /// Runs the body with a service that has these flags, and ends everything afterwards.
    ///
    /// - Parameters:
    ///   - flags: The flags by key, in flagd's form.
    ///   - faults: What goes wrong on the way.
    ///   - body: What to do.
    /// - Throws: What starting the service threw, and what the body did.
    package static func with(
        _ flags: [String: FlagValue], _ faults: [FaultRule] = [],
        _ body: (ServiceStage) async throws -> Void
    ) async throws {
        let stage = try ServiceStage(flags)
        stage.proxy.setRules(faults)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(stage))
        } catch {
            result = .failure(error)
        }
        await stage.stopService()
        await stage.proxy.stop()
        try result.get()
    }

    private static func serve(_ flags: [String: FlagValue]) throws -> Running {
        let source = StageSource()
        let service = FlagService(
            source: source, keys: try ClientKeys([key]), configuration: FlagService.Configuration(),
            clock: { 1_700_000_000 })
        service.start()
        try source.publish(flags)
        let server = try HTTPServer.start(
            errorResponse: { service.errorResponse(for: $0) }, handler: { service.handle($0) })
        return Running(source: source, service: service, server: server)
    }

    // MARK: The service

    /// Puts other flags into force, which all that are connected are told of.
    package func publish(_ flags: [String: FlagValue]) throws {
        self.flags.withLock { $0 = flags }
        try running.withLock { $0 }?.source.publish(flags)
    }

    /// What the service has counted of reports since it started; `nil` while it is stopped.
    package var reports: FlagService.ReportCounts? { running.withLock { $0 }?.service.reportCounts }

    /// Ends the service; the proxy stays, and refuses connections.
    package func stopService() async {
        let stopped = running.withLock { running in
            defer { running = nil }
            return running
        }
        guard let stopped else { return }
        stopped.service.stop()
        await stopped.server.shutdown(grace: 0.5)
    }

    /// Starts the service again, with the flags that were published last.
    package func startService() throws {
        let new = try Self.serve(flags.withLock { $0 })
        proxy.setServicePort(new.server.port)
        running.withLock { $0 = new }
    }
}

/// Flags in flagd's form, in as many words as a test needs.
extension FlagValue {
    /// A flag that has one value for everybody.
    package static func flag(_ value: FlagValue, metadata: FlagValue = [:]) -> FlagValue {
        ["state": "ENABLED", "variants": ["x": value], "defaultVariant": "x", "metadata": metadata]
    }

    /// A Boolean flag that is on for those whom a rule meets.
    package static func flag(onIf rule: FlagValue) -> FlagValue {
        [
            "state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "off",
            "targeting": ["if": [rule, "on"]],
        ]
    }
}
