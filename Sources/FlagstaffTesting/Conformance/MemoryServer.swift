import FlagLocking
import Flagstaff
import Foundation

/// A scripted server in memory, and the peer of the transports that reach it.
final class MemoryServer: ConformanceServer, MemoryPeer {
    let url = URL(fileURLWithPath: "/", isDirectory: true)
    let unreachableURL = URL(fileURLWithPath: "/unreachable", isDirectory: true)

    private struct State: Sendable {
        var scripts: [String: ConformanceScript] = [:]
        var connections: [MemoryConnection] = []
    }

    private let state = Lock(State())

    func answer(_ path: String, with script: @escaping ConformanceScript) {
        state.withLock { $0.scripts[path] = script }
    }

    func stop() {
        for connection in state.withLock({ $0.connections }) { connection.hangUp() }
    }

    func received(_ exchange: MemoryExchange) {
        let request = exchange.request
        let script = state.withLock { $0.scripts[request.url.path] }
        guard let script else {
            return exchange.send(.ended(FlagTransportError(kind: .network, message: "nobody answers")))
        }
        let connection = MemoryConnection(exchange)
        state.withLock { $0.connections.append(connection) }
        let headers = Dictionary(
            request.headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { _, last in last })
        let query = request.url.query.map { "?" + $0 } ?? ""
        let received = ConformanceRequest(
            method: request.method, target: request.url.path + query, headers: headers,
            body: request.body ?? [])
        // Scripts block.
        Thread { script(received, connection) }.start()
    }

    func lost(_ exchange: MemoryExchange) {
        for connection in state.withLock({ $0.connections }) where connection.exchange === exchange {
            connection.hangUp()
        }
    }

    func closed() {}
}

/// One request to a ``MemoryServer``.
private final class MemoryConnection: ConformanceConnection {
    let exchange: MemoryExchange
    private let isOver = DispatchSemaphore(value: 0)

    init(_ exchange: MemoryExchange) {
        self.exchange = exchange
    }

    func start(_ status: Int, _ headers: [String: String]) {
        exchange.send(.head(FlagTransportHead(status: status, headers: headers)))
    }

    func send(_ bytes: [UInt8]) {
        exchange.send(.bytes(bytes))
    }

    func end() {
        exchange.send(.ended(nil))
    }

    func cut() {
        exchange.send(.ended(FlagTransportError(kind: .network, message: "the connection broke")))
    }

    func waitForEnd() {
        isOver.wait()
        isOver.signal()
    }

    func hangUp() {
        isOver.signal()
    }
}
