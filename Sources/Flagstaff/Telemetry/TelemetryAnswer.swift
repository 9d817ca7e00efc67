import FlagModel

/// What a delivery came to.
enum TelemetryAnswer: Hashable, Sendable {
    /// An answer.
    case status(Int, retryAfter: RetryAfter?)
    /// No answer, and why.
    case failed(String)

    /// What to do with a batch after its delivery was tried.
    enum Outcome: Hashable, Sendable {
        /// It arrived.
        case accepted
        /// Send it again later.
        case keep
        /// It will never be accepted.
        case drop
        /// None will ever be accepted.
        case refuse
    }

    /// The class that the answer belongs to.
    var outcome: Outcome {
        switch self {
        case .status(200..<300, _): .accepted
        case .status(401, _), .status(403, _), .status(404, _): .refuse
        case .status(408, _), .status(429, _), .status(500..., _), .failed: .keep
        case .status: .drop
        }
    }

    /// How long the service wants to be left alone, in seconds.
    func delay(wall: Double, cap: Int) -> Double {
        guard case .status(_, let retryAfter?) = self else { return 0 }
        // Written so that a clock that is far off does not trap.
        return Double(retryAfter.delay(now: Int64(exactly: wall.rounded()) ?? 0, cap: cap))
    }
}

extension TelemetryAnswer {
    /// Reads what the transport brought.
    init(_ result: Result<FlagTransportResponse, FlagTransportError>) {
        switch result {
        case .success(let response):
            let retryAfter = response.head.headers["retry-after"].flatMap(RetryAfter.init(_:))
            self = .status(response.head.status, retryAfter: retryAfter)
        case .failure(let error):
            self = .failed(error.message)
        }
    }
}

extension TelemetryAnswer: CustomStringConvertible {
    /// The answer in words, for the log.
    var description: String {
        switch self {
        case .status(let status, _): "the service answered \(status)"
        case .failed(let message): message
        }
    }
}
