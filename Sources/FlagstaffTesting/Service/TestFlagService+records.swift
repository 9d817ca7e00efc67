import FlagLocking
public import Flagstaff

extension TestFlagService {
    // MARK: What happened

    /// All requests that clients have made, in order, those included that had no network.
    public var requests: [TestRequest] { model.withLock { $0.requests } }

    /// The contexts of all calls of `start` and `setContext` that made a request, in order.
    public var contexts: [FlagContext] {
        requests.filter { !$0.kinds.isDisjoint(with: [.start, .contextChange]) }.compactMap(\.context)
    }

    /// The batches of telemetry that clients have handed in, in order, sent again included.
    ///
    /// See ``TestRequest/reportedReads`` and ``TestRequest/reportedEvents``.
    public var telemetry: [TestRequest] {
        requests.filter { $0.kinds.contains(.telemetry) }
    }

    /// Forgets the requests so far.
    public func clearRequests() {
        model.withLock { $0.requests = [] }
    }

    /// Waits until there have been so many requests, past ones included.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - kind: Which kind. Default: any.
    ///   - limit: How long to wait at most, in seconds. Default 10.
    /// - Returns: The first so many of them.
    /// - Throws: ``TestTimeout`` when there are not so many in time.
    @discardableResult
    public func requests(
        _ count: Int, of kind: TestRequest.Kind? = nil, within limit: Double = 10
    ) async throws -> [TestRequest] {
        let what = "\(count) requests of \(kind.map { "the kind '\($0.rawValue)'" } ?? "any kind")"
        return try await signal.value(what, within: limit) {
            let all = requests.filter { request in kind.map(request.kinds.contains) ?? true }
            return all.count >= count ? Array(all.prefix(count)) : nil
        }
    }
}
