import CLoopback
import FlagLocking
import Foundation

/// A scripted HTTP server on a free port of the loopback address, for transports that need a network.
///
/// Each connection has a thread of its own and carries one request at a time, so scripts may block. Nothing but a
/// conformance suite makes one.
final class LoopbackServer: ConformanceServer {
    let url: URL
    let unreachableURL: URL
    private let listener: Int32
    private let state = Lock(State())

    private struct State: Sendable {
        var scripts: [String: ConformanceScript] = [:]
        var connections: [Int32: LoopbackConnection] = [:]
        var isStopped = false
    }

    /// Starts a server.
    ///
    /// - Throws: A `POSIXError` when the system gives no port.
    init() throws {
        let unused = try Self.listen()
        flag_loopback_close(unused.descriptor)
        let (descriptor, port) = try Self.listen()
        listener = descriptor
        url = Self.url(port: port)
        unreachableURL = Self.url(port: unused.port)
        Thread { [self] in accept() }.start()
    }

    func answer(_ path: String, with script: @escaping ConformanceScript) {
        state.withLock { $0.scripts[path] = script }
    }

    func stop() {
        let connections: [LoopbackConnection] = state.withLock { state in
            if state.isStopped { return [] }
            state.isStopped = true
            // Wakes the thread that accepts, which then closes the socket.
            flag_loopback_hang_up(listener)
            return Array(state.connections.values)
        }
        for connection in connections { connection.hangUp() }
    }

    private func accept() {
        while true {
            let descriptor = flag_loopback_accept(listener)
            let isStopped = state.withLock { $0.isStopped }
            if isStopped {
                if descriptor >= 0 { flag_loopback_close(descriptor) }
                flag_loopback_close(listener)
                return
            }
            guard descriptor >= 0 else { continue }
            let connection = LoopbackConnection(descriptor)
            state.withLock { $0.connections[descriptor] = connection }
            Thread { [self] in
                serve(connection)
                state.withLock { _ = $0.connections.removeValue(forKey: descriptor) }
                connection.release()
            }.start()
        }
    }

    private func serve(_ connection: LoopbackConnection) {
        while let request = connection.readRequest() {
            let path = request.target.split(separator: "?").first.map(String.init) ?? ""
            if let script = state.withLock({ $0.scripts[path] }) {
                script(request, connection)
            } else {
                connection.answer(404)
            }
        }
    }

    private static func url(port: UInt16) -> URL {
        var components = URLComponents()
        components.scheme = "http"
        components.host = "127.0.0.1"
        components.port = Int(port)
        guard let url = components.url else { preconditionFailure("a valid address") }
        return url
    }

    private static func listen() throws -> (descriptor: Int32, port: UInt16) {
        var port: UInt16 = 0
        let descriptor = flag_loopback_listen(&port)
        guard descriptor >= 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        return (descriptor, port)
    }
}
