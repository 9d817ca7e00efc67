import CMicroHTTPD

/// What all connections of a server share.
///
/// Outlives the library's daemon, whose callbacks hold it unretained.
final class ServerCore: Sendable {
    let configuration: HTTPServer.Configuration
    let handler: HTTPServer.Handler
    let errorResponse: @Sendable (HTTPStatus) -> HTTPResponse
    let log: @Sendable (String) -> Void
    private let registry = Locked(Registry())

    private struct Registry {
        var connections: [UInt64: HTTPConnection] = [:]
        var lastID: UInt64 = 0
        var isDraining = false
    }

    init(
        _ configuration: HTTPServer.Configuration, handler: @escaping HTTPServer.Handler,
        errorResponse: @escaping @Sendable (HTTPStatus) -> HTTPResponse,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.configuration = configuration
        self.handler = handler
        self.errorResponse = errorResponse
        self.log = log
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
