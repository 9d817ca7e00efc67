/// What other threads may know and change of a connection: the phase of its current request, and how it ends.
///
/// No I/O, no locks; times are milliseconds of ``MonotonicClock``.
struct ConnectionState {
    private enum Phase {
        /// Between two requests, since then; a request may already be arriving whose first line is incomplete.
        case idle(since: Int64)
        /// A request arrives; on a new connection from the moment it was opened.
        case receiving(since: Int64)
        /// The handler works, or the response is being sent.
        case answering
        /// The request took too long: it is not answered by the handler any more.
        case expired
        case closed
    }

    private var phase: Phase
    private var hasRequestLine = false
    /// The connection's socket while it is open, else -1.
    private(set) var socket: Int32
    /// The stream that is being sent.
    private(set) var stream: HTTPStream?
    /// Whether the connection closes after the current response, since the server is stopping.
    private(set) var isDraining: Bool

    init(socket: Int32, isDraining: Bool, now: Int64) {
        phase = .receiving(since: now)
        self.socket = socket
        self.isDraining = isDraining
    }

    /// Whether a request is being received or answered; a new connection without a request is not.
    var isBusy: Bool {
        switch phase {
        case .receiving: hasRequestLine
        case .answering: true
        case .idle, .expired, .closed: false
        }
    }

    /// The first line of a request is complete.
    mutating func requestLineReceived(now: Int64) {
        if case .idle = phase {
            phase = .receiving(since: now)
        }
        hasRequestLine = true
    }

    /// The request is complete, or refused before it was.
    ///
    /// - Returns: false when it is too late to answer it.
    mutating func beginAnswering() -> Bool {
        switch phase {
        case .receiving, .idle:
            phase = .answering
            return true
        case .answering:
            return true
        case .expired, .closed:
            return false
        }
    }

    /// The response carries a stream.
    mutating func attach(_ stream: HTTPStream) {
        self.stream = stream
    }

    /// The response is sent, or given up.
    ///
    /// - Returns: the stream it carried.
    mutating func requestCompleted(now: Int64) -> HTTPStream? {
        defer { stream = nil }
        hasRequestLine = false
        if case .answering = phase {
            phase = .idle(since: now)
        }
        return stream
    }

    /// What to do with a request that takes too long.
    enum Expiry: Equatable {
        /// The client has sent a request line: it deserves an answer.
        case answer
        /// There is no request yet.
        case close
    }

    /// Expires the request when it takes longer than allowed.
    mutating func expire(now: Int64, requestLimit: Int64, idleLimit: Int64) -> Expiry? {
        switch phase {
        case .receiving(let since) where now - since > requestLimit:
            break
        // The library closes idle connections; only one that trickles its request line gets here.
        case .idle(let since) where now - since > idleLimit + requestLimit:
            break
        default:
            return nil
        }
        phase = .expired
        return hasRequestLine ? .answer : .close
    }

    /// The body grew beyond the limit while arriving: nothing more of this request is looked at.
    mutating func giveUp() {
        phase = .expired
    }

    /// No more requests after the current one.
    mutating func drain() {
        isDraining = true
    }

    /// The socket is about to be closed.
    mutating func close() {
        phase = .closed
        socket = -1
    }
}
