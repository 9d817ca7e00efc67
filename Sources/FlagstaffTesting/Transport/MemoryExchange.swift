import FlagLocking
import Flagstaff

/// One request to a service in memory, from its arrival to the end of its answer.
///
/// Signals go to the client one after the other, in order, and nothing comes after the end, whichever threads answer,
/// cut and close at the same time. A signal is delivered when ``send(_:)`` returns, unless another thread is delivering
/// the end.
final class MemoryExchange: Sendable {
    /// The client's number for the request.
    let id: Int
    /// The request.
    let request: FlagTransportRequest
    /// Whether the client takes the answer as it arrives.
    let isStream: Bool

    private struct State: Sendable {
        var queue: [FlagTransportSignal] = []
        var isDelivering = false
        var isOver = false
    }

    private let state = Lock(State())
    private let deliver: @Sendable (FlagTransportSignal) -> Void

    init(
        id: Int, request: FlagTransportRequest, isStream: Bool,
        deliver: @escaping @Sendable (FlagTransportSignal) -> Void
    ) {
        self.id = id
        self.request = request
        self.isStream = isStream
        self.deliver = deliver
    }

    /// Whether the answer has ended, in whatever way.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Sends a part of the answer; what comes after the end is dropped.
    func send(_ signal: FlagTransportSignal) {
        let isDeliverer = state.withLock { state in
            if state.isOver { return false }
            if case .ended = signal { state.isOver = true }
            state.queue.append(signal)
            if state.isDelivering { return false }
            state.isDelivering = true
            return true
        }
        guard isDeliverer else { return }
        while let next = nextSignal() { deliver(next) }
    }

    /// Sends a whole answer.
    func answer(_ status: Int, _ headers: [String: String] = [:], _ body: [UInt8] = []) {
        send(.head(FlagTransportHead(status: status, headers: headers)))
        if !body.isEmpty { send(.bytes(body)) }
        send(.ended(nil))
    }

    private func nextSignal() -> FlagTransportSignal? {
        state.withLock { state in
            if state.queue.isEmpty {
                state.isDelivering = false
                return nil
            }
            return state.queue.removeFirst()
        }
    }
}

/// Puts the parts of an answer together.
struct AnswerCollector: Sendable {
    private var head: FlagTransportHead?
    private var body: [UInt8] = []

    /// Takes a part; gives the result at the end.
    mutating func receive(_ signal: FlagTransportSignal) -> Result<FlagTransportResponse, FlagTransportError>?
    {
        switch signal {
        case .head(let head):
            self.head = head
            return nil
        case .bytes(let bytes):
            body += bytes
            return nil
        case .ended(let error?):
            return .failure(error)
        case .ended(nil):
            guard let head else {
                return .failure(
                    FlagTransportError(kind: .network, message: "the connection ended without an answer"))
            }
            return .success(FlagTransportResponse(head: head, body: body))
        }
    }
}
