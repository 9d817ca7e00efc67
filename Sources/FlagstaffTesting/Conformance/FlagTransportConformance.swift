public import Flagstaff
import Foundation

/// What every `FlagTransport` must do, as a suite that runs against one.
///
/// ```swift
/// @Test func myTransportConforms() async {
///     #expect(await FlagTransportConformance { MyTransport() }.run() == [])
/// }
/// ```
///
/// The suite has a server of its own on a free port of the loopback address, and takes about a second, most of which is
/// spent waiting for a time-out. Bounds on waiting are generous, so a failure is one.
public struct FlagTransportConformance: Sendable {
    private let makeTransport: @Sendable () -> any FlagTransport
    private let makeServer: @Sendable () throws -> any ConformanceServer
    private let patience: Double
    private let shortTimeout: Double

    /// Makes a suite.
    ///
    /// - Parameters:
    ///   - patience: How long to wait at most for what has to happen, in seconds. Default 30.
    ///   - makeTransport: Makes a transport; called for each check.
    public init(patience: Double = 30, _ makeTransport: @escaping @Sendable () -> any FlagTransport) {
        self.init(patience: patience, shortTimeout: 1, makeServer: { try LoopbackServer() }, makeTransport)
    }

    init(
        patience: Double, shortTimeout: Double,
        makeServer: @escaping @Sendable () throws -> any ConformanceServer,
        _ makeTransport: @escaping @Sendable () -> any FlagTransport
    ) {
        self.patience = patience
        self.shortTimeout = shortTimeout
        self.makeServer = makeServer
        self.makeTransport = makeTransport
    }

    /// Runs all checks, one after the other.
    ///
    /// - Parameter stopsEarly: Whether to be content with the first check that fails. Default `false`.
    /// - Returns: What failed: nothing, for a transport that conforms.
    public func run(stopsEarly: Bool = false) async -> [ConformanceFailure] {
        let server: any ConformanceServer
        do {
            server = try makeServer()
        } catch {
            return [ConformanceFailure(check: "the suite's server starts", message: "\(error)")]
        }
        var runs: [TransportRun] = []
        for check in Self.checks {
            let run = TransportRun(
                check: check.name, transport: makeTransport(), server: server, patience: patience,
                shortTimeout: shortTimeout)
            do {
                try await check.body(run)
            } catch {
                run.fail("\(error)")
            }
            run.transport.close()
            await run.awaitEnds()
            runs.append(run)
            if stopsEarly, !run.failures.isEmpty { break }
        }
        server.stop()
        // Looked at last, as something that is told twice can be told late.
        for run in runs { run.checkCounts() }
        return runs.flatMap(\.failures)
    }

    /// The suite on the transport of ``TestFlagService``'s clients, whose server is in memory too.
    ///
    /// - Parameters:
    ///   - patience: How long to wait at most for what has to happen, in seconds. Default 30.
    ///   - change: Puts something between transport and suite. Default: nothing.
    /// - Returns: The suite.
    package static func inMemory(
        patience: Double = 30,
        _ change: @escaping @Sendable (any FlagTransport) -> any FlagTransport = { $0 }
    ) -> FlagTransportConformance {
        let server = MemoryServer()
        return FlagTransportConformance(patience: patience, shortTimeout: 0.05, makeServer: { server }) {
            change(MemoryTransport(time: SystemTime(), peer: server))
        }
    }

    /// What the suite checks, in words.
    public static var checkNames: [String] { checks.map(\.name) }

    /// One check.
    struct Check: Sendable {
        let name: String
        let body: @Sendable (TransportRun) async throws -> Void

        init(_ name: String, _ body: @escaping @Sendable (TransportRun) async throws -> Void) {
            self.name = name
            self.body = body
        }
    }

    private static var checks: [Check] { requestChecks + streamChecks + endChecks }
}
