import FlagLocking

/// A service and the way to it within the process: answers requests on the spot, and sends changes over open streams.
///
/// The client runs as ever; what would go over the network is a function call here.
final class InMemoryTransport: FlagTransport {
    typealias Receive = @Sendable (FlagTransportSignal) -> Void

    private struct State: Sendable {
        var values: [String: FlagValue]
        /// Grows with each change: what the ETags say.
        var version = 1
        var streams: [Int: Receive] = [:]
        var isClosed = false
        /// What is to be delivered, in order, by one thread at a time.
        var outbox: [(Receive, FlagTransportSignal)] = []
        var isDelivering = false

        var etag: String { "\"\(version)\"" }

        mutating func send(_ message: EvaluationsMessage, to receive: @escaping Receive) {
            outbox.append((receive, .bytes(message.event(id: nil).bytes)))
        }
    }

    private let state: Lock<State>

    init(_ values: [String: FlagValue]) {
        state = Lock(State(values: values))
    }

    /// What is served.
    var values: [String: FlagValue] { state.withLock { $0.values } }

    /// Changes the values and tells the open streams what differs.
    func change(_ change: (inout [String: FlagValue]) -> Void) {
        state.withLock { state in
            let former = state.values
            change(&state.values)
            let changed = state.values.filter { former[$0.key] != $0.value }
            let removed = former.keys.filter { state.values[$0] == nil }
            if changed.isEmpty && removed.isEmpty { return }
            state.version += 1
            let patch = EvaluationsMessage.patch(
                etag: state.etag, changed: Self.resolutions(of: changed), removed: removed, metadata: nil)
            for receive in state.streams.values { state.send(patch, to: receive) }
        }
        deliver()
    }

    func send(
        _ request: FlagTransportRequest, id: Int,
        completion: @escaping @Sendable (Result<FlagTransportResponse, FlagTransportError>) -> Void
    ) {
        let answer: Result<FlagTransportResponse, FlagTransportError> = state.withLock { state in
            if state.isClosed { return .failure(Self.cancelled) }
            var head = FlagTransportHead(status: 200, headers: ["ETag": state.etag])
            if request.headers["If-None-Match"] == state.etag {
                head.status = 304
                return .success(FlagTransportResponse(head: head, body: []))
            }
            let stream = EventStream(
                type: EventStream.evaluationsType, location: .endpoint(requestURI: "/", origin: nil))
            let evaluation = BulkEvaluation(
                flags: Self.resolutions(of: state.values), eventStreams: [stream])
            let body = Array(evaluation.json.jsonText.utf8)
            return .success(FlagTransportResponse(head: head, body: body))
        }
        completion(answer)
    }

    func open(_ request: FlagTransportRequest, id: Int, receive: @escaping Receive) {
        state.withLock { state in
            if state.isClosed { return state.outbox.append((receive, .ended(Self.cancelled))) }
            state.streams[id] = receive
            let head = FlagTransportHead(status: 200, headers: ["Content-Type": "text/event-stream"])
            state.outbox.append((receive, .head(head)))
            if request.headers["If-None-Match"] == state.etag {
                state.send(.current(etag: state.etag), to: receive)
            } else {
                let evaluation = BulkEvaluation(flags: Self.resolutions(of: state.values))
                state.send(.put(etag: state.etag, evaluation: evaluation), to: receive)
            }
        }
        deliver()
    }

    func cancel(_ id: Int) {
        end { $0.removeValue(forKey: id).map { [$0] } ?? [] }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        end { streams in
            defer { streams = [:] }
            return Array(streams.values)
        }
    }

    private func end(_ take: (inout [Int: Receive]) -> [Receive]) {
        state.withLock { state in
            for receive in take(&state.streams) { state.outbox.append((receive, .ended(Self.cancelled))) }
        }
        deliver()
    }

    /// Delivers what is in the outbox, unless a thread is at it already.
    private func deliver() {
        let isDeliverer = state.withLock { state in
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard isDeliverer else { return }
        while let (receive, signal) = next() { receive(signal) }
    }

    private func next() -> (Receive, FlagTransportSignal)? {
        state.withLock { state in
            if state.outbox.isEmpty {
                state.isDelivering = false
                return nil
            }
            return state.outbox.removeFirst()
        }
    }

    private static func resolutions(of values: [String: FlagValue]) -> [FlagResolution] {
        values.map { FlagResolution(key: $0.key, value: $0.value, reason: .static) }
    }

    private static var cancelled: FlagTransportError {
        FlagTransportError(kind: .cancelled, message: "the client is closed")
    }
}
