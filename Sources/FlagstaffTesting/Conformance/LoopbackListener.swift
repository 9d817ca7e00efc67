import CLoopback
import FlagLocking
import Foundation

/// Accepts connections on a free port of the loopback address.
///
/// Each connection has a thread of its own, so whoever serves it may block.
package final class LoopbackListener: Sendable {
    /// The port, on 127.0.0.1.
    package let port: Int
    private let descriptor: Int32
    private let serve: @Sendable (LoopbackSocket) -> Void
    private let state = Lock(State())

    private struct State: Sendable {
        var sockets: [Int32: LoopbackSocket] = [:]
        var isStopped = false
    }

    /// Starts to listen.
    ///
    /// - Parameter serve: Called for each connection on a thread of its own; the connection is over when it returns.
    /// - Throws: A `POSIXError` when the system gives no port.
    package init(_ serve: @escaping @Sendable (LoopbackSocket) -> Void) throws {
        self.serve = serve
        (descriptor, port) = try Self.listen()
        Thread { [self] in accept() }.start()
    }

    /// Cuts all connections and takes no more.
    package func stop() {
        let sockets: [LoopbackSocket] = state.withLock { state in
            if state.isStopped { return [] }
            state.isStopped = true
            // Wakes the thread that accepts, which then closes the socket.
            flag_loopback_hang_up(descriptor)
            return Array(state.sockets.values)
        }
        for socket in sockets { socket.hangUp() }
    }

    /// A port at which nobody answers.
    static func unusedPort() throws -> Int {
        let unused = try listen()
        flag_loopback_close(unused.descriptor)
        return unused.port
    }

    private func accept() {
        while true {
            let accepted = flag_loopback_accept(descriptor)
            let socket: LoopbackSocket? = state.withLock { state in
                guard !state.isStopped, accepted >= 0 else { return nil }
                let socket = LoopbackSocket(accepted)
                state.sockets[accepted] = socket
                return socket
            }
            if let socket {
                Thread { [self] in
                    serve(socket)
                    state.withLock { _ = $0.sockets.removeValue(forKey: accepted) }
                    socket.release()
                }.start()
            } else if accepted >= 0 {
                flag_loopback_close(accepted)
            }
            if state.withLock({ $0.isStopped }) { return flag_loopback_close(descriptor) }
        }
    }

    private static func listen() throws -> (descriptor: Int32, port: Int) {
        var port: UInt16 = 0
        let descriptor = flag_loopback_listen(&port)
        guard descriptor >= 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        return (descriptor, Int(port))
    }
}
