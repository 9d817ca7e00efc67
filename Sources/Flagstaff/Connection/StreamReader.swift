/// What a stream's bytes mean to the life cycle.
enum StreamInput: Hashable, Sendable {
    /// The service accepted the stream.
    case opened
    /// A sign of life without a message, such as a heartbeat.
    case activity
    /// Flags.
    case evaluations(EvaluationsMessage, id: String?)
    /// A notice to fetch.
    case notice(RefetchNotice, id: String?)
    /// How long to wait before connecting again, in milliseconds.
    case retry(milliseconds: Int)
    /// A message that means nothing to this client.
    case skipped(String)
    /// A message that should have carried flags could not be read: what the client holds is no longer complete.
    case lost(String)
    /// The stream is over, or was refused.
    case ended(ServiceFailure)
}

/// Takes one stream apart, from the head of the answer to its end.
///
/// All parsing is here, outside the client's lock.
struct StreamReader: Sendable {
    private let kind: StreamKind
    private var parser: SSEParser
    private var isOpen = false
    private var isOver = false

    init(kind: StreamKind, lastEventID: String?) {
        self.kind = kind
        parser = SSEParser(lastEventID: lastEventID)
    }

    /// Takes what arrived and returns what it means, in order.
    ///
    /// After `ended` it returns nothing more.
    mutating func receive(_ signal: FlagTransportSignal) -> [StreamInput] {
        if isOver { return [] }
        switch signal {
        case .head(let head):
            if let failure = Self.failure(of: head) {
                isOver = true
                return [.ended(failure)]
            }
            isOpen = true
            return [.opened]
        case .bytes(let bytes):
            guard isOpen else { return [] }
            let inputs = parser.feed(bytes).map(meaning)
            return inputs.isEmpty ? [.activity] : inputs
        case .ended(let error):
            isOver = true
            let end = FlagClientError(code: .network, message: "the service ended the stream")
            return [.ended(error.map(ServiceFailure.init) ?? ServiceFailure(error: end))]
        }
    }

    private static func failure(of head: FlagTransportHead) -> ServiceFailure? {
        if head.status != 200 { return ServiceFailure(head) }
        let type = head.headers["content-type"] ?? ""
        if type.lowercased().hasPrefix("text/event-stream") { return nil }
        return ServiceFailure(
            error: FlagClientError(
                code: .rejected, message: "the answer is no event stream", status: head.status))
    }

    private func meaning(of output: SSEParser.Output) -> StreamInput {
        switch (output, kind) {
        case (.retry(let milliseconds), _):
            return .retry(milliseconds: milliseconds)
        case (.oversizedEvent, .notices):
            return .skipped("a message larger than the limit")
        case (.oversizedEvent, .evaluations):
            return .lost("a message larger than the limit")
        case (.event(let event), .evaluations) where event.isDamaged:
            return .lost("a damaged message")
        case (.event(let event), .evaluations):
            if let message = EvaluationsMessage(event) { return .evaluations(message, id: event.id) }
            return ["put", "current", "patch"].contains(event.type)
                ? .lost("an unreadable message") : .skipped("a message of an unknown type")
        case (.event(let event), .notices):
            guard let notice = RefetchNotice(data: event.data) else {
                return .skipped("a message of another type")
            }
            return .notice(notice, id: event.id)
        }
    }
}
