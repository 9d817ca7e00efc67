import FlagLocking
import Flagstaff

/// Who answers the requests of a ``MemoryTransport``.
protocol MemoryPeer: Sendable {
    /// A request has arrived; it may be answered at once, later, or never.
    func received(_ exchange: MemoryExchange)
    /// The client's side is through with a request: it was cut, or its time was up.
    func lost(_ exchange: MemoryExchange)
    /// The client is closed; what was under way has been cut.
    func closed()
}

/// A transport that reaches a peer in the same process: no socket, no thread of its own.
final class MemoryTransport: FlagTransport {
    private struct Entry: Sendable {
        let exchange: MemoryExchange
        var lastActivity: Double
        var timer: (any ScheduledTimer)?
    }

    private struct State: Sendable {
        var entries: [Int: Entry] = [:]
        var isClosed = false
    }

    private let state = Lock(State())
    private let time: any TimeSource
    private let peer: any MemoryPeer

    init(time: any TimeSource, peer: any MemoryPeer) {
        self.time = time
        self.peer = peer
    }

    func send(
        _ request: FlagTransportRequest, id: Int,
        completion: @escaping @Sendable (Result<FlagTransportResponse, FlagTransportError>) -> Void
    ) {
        let collector = Lock(AnswerCollector())
        start(request, id, isStream: false) { signal in
            if let result = collector.withLock({ $0.receive(signal) }) { completion(result) }
        }
    }

    func open(
        _ request: FlagTransportRequest, id: Int, receive: @escaping @Sendable (FlagTransportSignal) -> Void
    ) {
        start(request, id, isStream: true, receive)
    }

    func cancel(_ id: Int) {
        guard let exchange = state.withLock({ $0.entries[id]?.exchange }) else { return }
        cut(exchange, FlagTransportError(kind: .cancelled, message: "the request was cut"))
    }

    func close() {
        let exchanges: [MemoryExchange]? = state.withLock { state in
            if state.isClosed { return nil }
            state.isClosed = true
            return state.entries.values.map(\.exchange)
        }
        guard let exchanges else { return }
        for exchange in exchanges {
            cut(exchange, FlagTransportError(kind: .cancelled, message: "the client is closed"))
        }
        peer.closed()
    }

    private func start(
        _ request: FlagTransportRequest, _ id: Int, isStream: Bool,
        _ receive: @escaping @Sendable (FlagTransportSignal) -> Void
    ) {
        let exchange = MemoryExchange(id: id, request: request, isStream: isStream) { [weak self] signal in
            // Forgotten before the client hears of the end, so that nothing is left when it does.
            if case .ended = signal { self?.forget(id) } else { self?.noteActivity(of: id) }
            receive(signal)
        }
        let entry = Entry(exchange: exchange, lastActivity: time.now().uptime)
        let isOpen = state.withLock { state in
            if !state.isClosed { state.entries[id] = entry }
            return !state.isClosed
        }
        guard isOpen else {
            return exchange.send(
                .ended(FlagTransportError(kind: .cancelled, message: "the client is closed")))
        }
        watchForSilence(of: exchange, in: request.idleTimeout)
        peer.received(exchange)
    }

    private func cut(_ exchange: MemoryExchange, _ error: FlagTransportError) {
        exchange.send(.ended(error))
        peer.lost(exchange)
    }

    private func noteActivity(of id: Int) {
        let now = time.now().uptime
        state.withLock { $0.entries[id]?.lastActivity = now }
    }

    private func forget(_ id: Int) {
        state.withLock { $0.entries.removeValue(forKey: id) }?.timer?.cancel()
    }

    // MARK: Silence

    /// Looks after a while whether anything has arrived: one timer for a request, however much does.
    private func watchForSilence(of exchange: MemoryExchange, in seconds: Double) {
        let timer = time.schedule(after: seconds) { [weak self] in self?.checkSilence(of: exchange) }
        let isNeeded = state.withLock { state in
            state.entries[exchange.id]?.timer = timer
            return state.entries[exchange.id] != nil
        }
        if !isNeeded { timer.cancel() }
    }

    private func checkSilence(of exchange: MemoryExchange) {
        guard let entry = state.withLock({ $0.entries[exchange.id] }) else { return }
        let rest = exchange.request.idleTimeout - (time.now().uptime - entry.lastActivity)
        // A rounding error more or less is no reason for one more timer.
        if rest > 0.001 { return watchForSilence(of: exchange, in: rest) }
        cut(exchange, FlagTransportError(kind: .timedOut, message: "the service did not answer in time"))
    }
}
