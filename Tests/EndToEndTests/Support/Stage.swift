import FaultProxy
import FlagLocking
import FlagModel
import Foundation
import HTTPServer
import Testing

@testable import FlagService
@testable import Flagstaff

/// A real service, a proxy before it, and real clients that reach the one through the other.
final class Stage: Sendable {
    private struct Running: Sendable {
        let source: ManualSource
        let service: FlagService
        let server: HTTPServer
    }

    let proxy: FaultProxy
    private let running: Lock<Running>
    private let clients = Lock<[FlagClient]>([])

    private init(_ running: Running) throws {
        self.running = Lock(running)
        proxy = try FaultProxy(servicePort: running.server.port)
    }

    /// Runs the body with a service in its first state, and closes everything afterwards.
    ///
    /// - Parameters:
    ///   - rules: What goes wrong.
    ///   - heartbeat: How often a silent stream shows life, in seconds.
    ///   - body: What to do.
    /// - Throws: What starting the service threw.
    static func with(
        _ rules: [FaultRule] = [], heartbeat: Int = 15, _ body: (Stage) async throws -> Void
    ) async throws {
        let stage = try Stage(serve(state: 1, heartbeat: heartbeat))
        stage.proxy.setRules(rules)
        do { try await body(stage) } catch { Issue.record(error) }
        for client in stage.clients.withLock({ $0 }) { await client.close() }
        await stage.stopService()
        await stage.proxy.stop()
    }

    private static func serve(state: Int, heartbeat: Int = 15) throws -> Running {
        let source = ManualSource()
        var configuration = FlagService.Configuration()
        configuration.streams.heartbeatInterval = heartbeat
        let service = FlagService(
            source: source, keys: try ClientKeys([]), configuration: configuration, clock: { 1_700_000_000 })
        service.start()
        try source.publish(Flags.state(state))
        let server = try HTTPServer.start(
            errorResponse: { service.errorResponse(for: $0) }, handler: { service.handle($0) })
        return Running(source: source, service: service, server: server)
    }

    /// What the service has counted of clients' reports.
    var reportCounts: TelemetryIntake.Counts { running.withLock { $0.service }.intake.counts }

    /// Puts a state into force.
    func publish(state: Int) throws {
        try running.withLock { $0.source }.publish(Flags.state(state))
    }

    /// Ends the service; the proxy stays.
    func stopService() async {
        let running = running.withLock { $0 }
        running.service.stop()
        await running.server.shutdown(grace: 0.5)
    }

    /// Starts a service in that state in the place of one that was stopped.
    func startService(state: Int) throws {
        let new = try Self.serve(state: state)
        proxy.setServicePort(new.server.port)
        running.withLock { $0 = new }
    }

    /// A client that reaches the service through the proxy; closed with the stage.
    func client(
        time: ScaledTime = ScaledTime(), change: (inout FlagClientConfiguration) -> Void = { _ in }
    ) throws -> FlagClient {
        let client = try Self.client(proxy.url, time: time, change: change)
        clients.withLock { $0.append(client) }
        return client
    }

    /// A client as an app makes it, which stores its values there; closed with the stage.
    func storingClient(
        _ storage: any FlagStorage, change: (inout FlagClientConfiguration) -> Void = { _ in }
    ) throws -> FlagClient {
        var configuration = FlagClientConfiguration(endpoint: try #require(URL(string: proxy.url)))
        configuration.logger = SilentLogger()
        configuration.storage = storage
        configuration.telemetry = .off
        change(&configuration)
        let client = try FlagClient(configuration)
        clients.withLock { $0.append(client) }
        return client
    }

    /// A client that reaches the service without the proxy; closed with the stage.
    func directClient() throws -> FlagClient {
        let client = try Self.client("http://127.0.0.1:\(running.withLock { $0.server.port })")
        clients.withLock { $0.append(client) }
        return client
    }

    /// A client of a service at an address; it has to be closed.
    static func client(
        _ url: String, time: ScaledTime = ScaledTime(),
        change: (inout FlagClientConfiguration) -> Void = { _ in }
    ) throws -> FlagClient {
        var configuration = FlagClientConfiguration(endpoint: try #require(URL(string: url)))
        configuration.logger = SilentLogger()
        change(&configuration)
        return FlagClient(
            service: try ServiceAddress(configuration), configuration: configuration,
            transport: URLSessionTransport(configuration.sessionConfiguration), time: time)
    }
}

extension FlagClient {
    /// Waits until the values are those of a state, and looks at every snapshot on the way: each must be that of one
    /// state for its own context, and none older than the one before.
    func waitForState(_ number: Int, _ comment: Comment? = nil) async {
        var former = 0
        for await _ in values(for: "n", default: 0) {
            // The newest one, which can be newer than the value that woke this loop.
            let snapshot = snapshot
            #expect(Flags.isSound(snapshot, upTo: number), comment)
            let present = snapshot.value(for: "n", default: 0)
            #expect(present >= former, comment)
            former = present
            if present == number { return }
        }
        Issue.record("the client was closed before it came to state \(number)")
    }
}
