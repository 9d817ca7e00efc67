import FlagModel

@testable import Flagstaff

/// Answers and messages of a service, in short.
enum Answers {
    /// An evaluation of flags with these values.
    static func evaluation(
        _ values: [String: FlagValue], streams: [EventStream]? = nil, metadata: [String: FlagValue] = [:]
    ) -> BulkEvaluation {
        BulkEvaluation(flags: resolutions(values), eventStreams: streams, metadata: metadata)
    }

    /// Resolutions with these values, sorted by key.
    static func resolutions(_ values: [String: FlagValue]) -> [FlagResolution] {
        values.sorted { $0.key < $1.key }.map {
            FlagResolution(key: $0.key, value: $0.value, reason: .static)
        }
    }

    /// A successful fetch.
    static func fresh(
        _ values: [String: FlagValue], etag: String? = nil, streams: [EventStream]? = nil
    ) -> FetchResult {
        .evaluation(evaluation(values, streams: streams), etag: etag)
    }

    /// A failed fetch, by its status.
    static func failure(_ status: Int, retryAfter: String? = nil) -> FetchResult {
        .failure(failed(status, retryAfter: retryAfter))
    }

    /// A failure, by its status.
    static func failed(_ status: Int, retryAfter: String? = nil) -> ServiceFailure {
        var headers: [String: String] = [:]
        headers["Retry-After"] = retryAfter
        return ServiceFailure(FlagTransportHead(status: status, headers: headers))
    }

    /// A failure of the network.
    static let networkFailure = ServiceFailure(FlagTransportError(kind: .network, message: "no network"))

    /// The announcement of our stream.
    static let evaluationsStream = EventStream(
        type: "flagstaff.evaluations",
        location: .endpoint(requestURI: "/flagstaff/v1/evaluations", origin: nil))

    /// The announcement of a stream of the standard.
    static func noticesStream(_ path: String = "/sse") -> EventStream {
        EventStream(type: "sse", location: .endpoint(requestURI: path, origin: nil))
    }

    /// A `put` message.
    static func put(_ values: [String: FlagValue], etag: String?) -> StreamInput {
        .evaluations(.put(etag: etag, evaluation: evaluation(values)), id: nil)
    }

    /// A `patch` message.
    static func patch(
        _ values: [String: FlagValue] = [:], removed: [String] = [], etag: String?, id: String? = nil
    ) -> StreamInput {
        .evaluations(
            .patch(etag: etag, changed: resolutions(values), removed: removed, metadata: nil), id: id)
    }
}
