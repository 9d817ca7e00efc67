import FlagLocking
import Dispatch

/// An HTTP/1.1 server that answers requests from memory and keeps thousands of streams open.
///
/// It serves from ``start(_:errorResponse:log:handler:)`` to ``shutdown(grace:)``. Dropping the last reference
/// shuts it down too, in the background and without grace.
package final class HTTPServer: Sendable {
    /// Answers a request.
    ///
    /// Called on a worker thread, which serves other connections too: it must not block or compute for long.
    package typealias Handler = @Sendable (HTTPRequest) -> HTTPResponse

    private enum Phase {
        case running
        case stopping([CheckedContinuation<Void, Never>])
        case stopped
    }

    /// The TCP port that the server listens on.
    package let port: UInt16
    private let core: ServerCore
    private let daemon: Daemon
    private let phase = Lock(Phase.running)

    private init(core: ServerCore, daemon: Daemon) {
        self.core = core
        self.daemon = daemon
        port = daemon.port
    }

    deinit {
        let isRunning = phase.withLock { phase in
            if case .running = phase { true } else { false }
        }
        if isRunning {
            // Not here: this may be a worker thread, and workers are waited for.
            Self.stop(core: core, daemon: daemon, grace: 0) {}
        }
    }

    /// Starts a server.
    ///
    /// It listens and serves when this returns.
    ///
    /// Raises the process's limit of open files as far as it is allowed to, and makes the process ignore SIGPIPE
    /// unless it handles it already.
    ///
    /// - Parameters:
    ///   - configuration: where to listen and what to accept.
    ///   - errorResponse: makes the answers that the server gives by itself, without asking the handler: 400,
    ///     408, 413, 431, 500, 501, 503. Called on any thread of the server; not for streams. Requests that are
    ///     no HTTP at all (a malformed line, length or chunk, a head far beyond the limit) are answered by the
    ///     underlying library, with the right status and a short page of its own. Default: plain text.
    ///   - log: receives what is noteworthy, one line at a time, on any thread. Default: nothing is logged.
    ///   - handler: answers the requests.
    /// - Returns: the running server.
    /// - Throws: ``HTTPServerError``.
    package static func start(
        _ configuration: Configuration = Configuration(),
        errorResponse: @escaping @Sendable (HTTPStatus) -> HTTPResponse = HTTPServer.plainErrorResponse,
        log: @escaping @Sendable (String) -> Void = { _ in },
        handler: @escaping Handler
    ) throws -> HTTPServer {
        ProcessLimits.ignoreBrokenPipes()
        let tls = try configuration.tls.map(TLSMaterial.init)
        let checked = try configuration.checked(
            fileDescriptors: ProcessLimits.raiseFileDescriptorLimit(), log: log)
        let core = try ServerCore(checked, handler: handler, errorResponse: errorResponse, log: log)
        try core.monitor.start(core)
        do {
            return HTTPServer(core: core, daemon: try Daemon(core: core, tls: tls))
        } catch {
            core.monitor.stop()
            throw error
        }
    }

    /// The default answer of the server's own: the status in words.
    @Sendable package static func plainErrorResponse(_ status: HTTPStatus) -> HTTPResponse {
        .text(status, "\(status.rawValue) \(status.reasonPhrase)\n")
    }

    /// Open connections, streams included.
    package var connectionCount: Int { core.connectionCount }

    /// Whether a request is being received or answered, streams included.
    package var hasRunningRequests: Bool { core.hasRunningRequests }

    /// Stops the server: no new connections; running requests may end; streams close with
    /// ``HTTPStream/CloseReason/serverShutdown`` once what was written to them is sent.
    ///
    /// Returns when every thread of the server is gone; later calls wait for the same. Callable from any task,
    /// but not to be waited for in a handler.
    ///
    /// - Parameter grace: seconds after which requests and streams that have not ended are cut; nil takes
    ///   ``Configuration/shutdownGrace``.
    package func shutdown(grace: Double? = nil) async {
        await withCheckedContinuation { continuation in
            let isFirst = phase.withLock { phase -> Bool? in
                switch phase {
                case .running:
                    phase = .stopping([continuation])
                    return true
                case .stopping(let waiting):
                    phase = .stopping(waiting + [continuation])
                    return false
                case .stopped:
                    return nil
                }
            }
            switch isFirst {
            case true?:
                Self.stop(core: core, daemon: daemon, grace: grace ?? core.configuration.shutdownGrace) {
                    [self] in
                    let waiting = phase.withLock { phase -> [CheckedContinuation<Void, Never>] in
                        defer { phase = .stopped }
                        if case .stopping(let waiting) = phase { return waiting }
                        return []
                    }
                    waiting.forEach { $0.resume() }
                }
            case false?: break
            case nil: continuation.resume()
            }
        }
    }

    /// Blocks a thread of its own until everything is over.
    private static func stop(
        core: ServerCore, daemon: Daemon, grace: Double, completion: @escaping @Sendable () -> Void
    ) {
        DispatchQueue(label: "flagstaff.http-server.shutdown").async {
            // First the flag, so that whoever is still accepted knows.
            core.drain()
            // When full, the library may be about to take the listener out by itself; newcomers are then told
            // to go away, one by one.
            if core.connectionCount < core.configuration.maxConnections {
                daemon.stopAccepting()
            }
            core.drain()
            core.waitUntilIdle(deadline: MonotonicClock.now + Int64(max(0, grace) * 1000))
            // Nothing may be suspended from here on, or the library aborts the process.
            core.connections.forEach { $0.cutStream() }
            daemon.stop()
            core.monitor.stop()
            completion()
        }
    }
}
