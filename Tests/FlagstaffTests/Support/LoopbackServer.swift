import FlagLocking
import Foundation

@testable import Flagstaff

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A bare HTTP server on a free port of the loopback address that does exactly what a test scripts, also what
/// no proper server would do.
///
/// Each connection has a thread of its own, so scripts may block.
final class LoopbackServer: Sendable {
    /// What arrived.
    struct Request: Sendable {
        var method: String
        var target: String
        /// Names in lower case.
        var headers: [String: String]
        var body: [UInt8]
    }

    typealias Script = @Sendable (Request, LoopbackConnection) -> Void

    let port: Int
    private let listener: Int32
    private let script: Script
    private let state = Lock(State())

    private struct State: Sendable {
        var requests: [Request] = []
        var connections: [Int32: LoopbackConnection] = [:]
        var isStopped = false
    }

    /// Starts a server.
    ///
    /// - Parameter script: Called for each request; afterwards the connection waits for the next, unless the script
    ///   closed it.
    /// - Throws: ``ServerError`` when there is no free port.
    init(_ script: @escaping Script) throws {
        self.script = script
        listener = socket(AF_INET, Self.streamType, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isBound else { throw ServerError() }
        Thread { [self] in accept() }.start()
    }

    struct ServerError: Error {}

    /// The address to reach it at.
    var url: String { "http://127.0.0.1:\(port)" }

    /// The requests so far.
    var requests: [Request] { state.withLock { $0.requests } }

    /// Closes everything.
    func stop() {
        let connections: [LoopbackConnection] = state.withLock { state in
            if state.isStopped { return [] }
            state.isStopped = true
            shutdown(listener, Self.both)
            return Array(state.connections.values)
        }
        for connection in connections { connection.close() }
    }

    private func accept() {
        while true {
            #if canImport(Darwin)
                let descriptor = Darwin.accept(listener, nil, nil)
            #elseif canImport(Musl)
                let descriptor = Musl.accept(listener, nil, nil)
            #else
                let descriptor = Glibc.accept(listener, nil, nil)
            #endif
            let isStopped = state.withLock { $0.isStopped }
            if descriptor < 0 || isStopped {
                if descriptor >= 0 { _ = systemClose(descriptor) }
                if isStopped {
                    _ = systemClose(listener)
                    return
                }
                continue
            }
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
            state.withLock { $0.requests.append(request) }
            script(request, connection)
        }
    }

    #if canImport(Glibc)
        private static let streamType = Int32(SOCK_STREAM.rawValue)
        private static let both = Int32(SHUT_RDWR)
    #else
        private static let streamType = SOCK_STREAM
        private static let both = SHUT_RDWR
    #endif
}

func systemClose(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
        Darwin.close(descriptor)
    #elseif canImport(Musl)
        Musl.close(descriptor)
    #else
        Glibc.close(descriptor)
    #endif
}
