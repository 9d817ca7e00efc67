import FlagLocking
import CMicroHTTPD

/// What all connections of a server share.
///
/// Outlives the library's daemon, whose callbacks hold it unretained.
final class ServerCore: Sendable {
    let configuration: HTTPServer.Configuration
    let handler: HTTPServer.Handler
    let errorResponse: @Sendable (HTTPStatus) -> HTTPResponse
    let log: @Sendable (String) -> Void
    let monitor: ConnectionMonitor
    private let registry = Lock(Registry())
    private let libraryMessages = Lock<[String]?>([])

    private struct Registry {
        var connections: [UInt64: HTTPConnection] = [:]
        var lastID: UInt64 = 0
        var isDraining = false
    }

    init(
        _ configuration: HTTPServer.Configuration, handler: @escaping HTTPServer.Handler,
        errorResponse: @escaping @Sendable (HTTPStatus) -> HTTPResponse,
        log: @escaping @Sendable (String) -> Void
    ) throws {
        self.configuration = configuration
        self.handler = handler
        self.errorResponse = errorResponse
        self.log = log
        monitor = try ConnectionMonitor()
    }

    /// Whether connections are encrypted: their sockets must be written to by the library only.
    var isSecure: Bool { configuration.tls != nil }

    /// An answer of the server's own as it goes over the wire.
    func rawErrorResponse(_ status: HTTPStatus) -> [UInt8] {
        errorResponse(status).serialized(reasonPhrase: status.reasonPhrase)
    }

    /// The library reports a problem, while starting or later.
    func logFromLibrary(_ message: String) {
        let isStarting = libraryMessages.withLock { messages in
            messages?.append(message)
            return messages != nil
        }
        if !isStarting {
            log(message)
        }
    }

    /// The library has started, or has not.
    ///
    /// - Returns: what it had to say about it.
    func libraryStarted() -> [String] {
        libraryMessages.withLock { messages in
            defer { messages = nil }
            return messages ?? []
        }
    }

    /// A connection was accepted.
    func open(socket: Int32) -> HTTPConnection {
        registry.withLock { registry in
            registry.lastID += 1
            let connection = HTTPConnection(
                id: registry.lastID, socket: socket, core: self,
                isExcess: registry.connections.count >= configuration.maxConnections,
                isDraining: registry.isDraining)
            registry.connections[connection.id] = connection
            return connection
        }
    }

    /// A connection is about to be closed.
    func close(_ connection: HTTPConnection) {
        connection.closed()
        registry.withLock { registry in
            registry.connections[connection.id] = nil
        }
    }

    /// The open connections, in no particular order.
    var connections: [HTTPConnection] {
        registry.withLock { Array($0.connections.values) }
    }

    /// The open connection with this number.
    func connection(_ id: UInt64) -> HTTPConnection? {
        registry.withLock { $0.connections[id] }
    }

    /// How many connections are open.
    var connectionCount: Int {
        registry.withLock { $0.connections.count }
    }

    /// From now on every connection closes after its current response.
    func drain() {
        let connections = registry.withLock { registry in
            registry.isDraining = true
            return Array(registry.connections.values)
        }
        for connection in connections {
            connection.drain()
        }
    }

    /// Gives back a response that was queued or could not be.
    func destroy(_ response: OpaquePointer) {
        MHD_destroy_response(response)
    }
}
