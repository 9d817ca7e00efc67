/// Which of a service's endpoints are asked, in which order and for how long: decisions without a clock or a socket.
///
/// An attempt begins at the endpoint that works: the first, until it fails and another answers, then that one. From
/// there it goes on to the others in their order. The first is tried first again after the one in use has failed, and
/// ``returnDelay`` seconds after it has failed itself.
struct EndpointOrder: Hashable, Sendable {
    /// For how long a first endpoint that failed is passed over while another works, in seconds.
    static let returnDelay = 600.0

    /// How many endpoints there are.
    let count: Int
    /// The endpoint that answered last, unless it has failed since.
    private var working = 0
    /// When the first endpoint failed last.
    private var firstFailure = -Double.infinity
    /// The endpoint whose announcements of streams are in force.
    private(set) var announcing = 0

    /// Starts at the first of some endpoints.
    init(count: Int) {
        self.count = count
    }

    /// What an answer, or the lack of one, says of the endpoint.
    enum Verdict: Hashable, Sendable {
        /// It works, whatever it answered.
        case answered
        /// Another is to be asked.
        case failed
        /// Nothing.
        case unclear

        /// Judges what a request came to: only faults of the network, time-outs and 5xx are failures.
        init(_ result: Result<FlagTransportResponse, FlagTransportError>) {
            switch result {
            case .success(let response): self = response.head.status >= 500 ? .failed : .answered
            case .failure(let error) where error.kind == .cancelled: self = .unclear
            // It would be as large elsewhere.
            case .failure(let error) where error.kind == .tooLarge: self = .answered
            case .failure: self = .failed
            }
        }
    }

    /// The endpoints that an attempt goes through, until one answers.
    ///
    /// - Parameter now: Seconds of a clock that is never set.
    /// - Returns: The endpoints' positions.
    func attempt(at now: Double) -> [Int] {
        let passesFirst = working != 0 && now - firstFailure < Self.returnDelay
        var order = passesFirst ? [working] : [0, working]
        order += 0..<count
        var seen: Set<Int> = []
        return order.filter { seen.insert($0).inserted }
    }

    /// How long one of an attempt's requests may take, in seconds.
    ///
    /// Two fifths of the rest, so that an endpoint that swallows everything leaves most of the time to the others, and
    /// the whole attempt stays within its time; the last one gets all of the rest.
    ///
    /// - Parameters:
    ///   - rest: How much time the attempt has left, in seconds.
    ///   - isLast: Whether no other endpoint comes afterwards.
    /// - Returns: The limit in seconds.
    static func limit(rest: Double, isLast: Bool) -> Double {
        isLast ? rest : rest * 0.4
    }

    /// Takes note of what a request to an endpoint came to.
    ///
    /// - Parameters:
    ///   - verdict: What it says of the endpoint.
    ///   - endpoint: The endpoint's position.
    ///   - now: Seconds of a clock that is never set.
    mutating func note(_ verdict: Verdict, of endpoint: Int, at now: Double) {
        switch verdict {
        case .answered:
            working = endpoint
        case .failed:
            if endpoint == 0 { firstFailure = now }
            if endpoint == working { working = 0 }
        case .unclear:
            break
        }
    }

    /// Takes note that an endpoint has given an answer with flags: announced paths are below its origin from now on.
    mutating func noteAnnouncement(of endpoint: Int) {
        announcing = endpoint
    }
}
