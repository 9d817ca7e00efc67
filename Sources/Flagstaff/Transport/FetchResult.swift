/// What a request for all flags came to.
enum FetchResult: Hashable, Sendable {
    /// All flags.
    case evaluation(BulkEvaluation, etag: String?)
    /// What the client has is up to date.
    case notModified
    /// Nothing usable.
    case failure(ServiceFailure)
}

/// A failed request or stream, with when the service allows the next one.
struct ServiceFailure: Hashable, Sendable {
    var error: FlagClientError
    var retryAfter: RetryAfter?
}

extension FetchResult {
    /// Reads an answer.
    init(_ result: Result<FlagTransportResponse, FlagTransportError>) {
        switch result {
        case .failure(let error):
            self = .failure(ServiceFailure(error))
        case .success(let response) where response.head.status == 200:
            guard let document = try? JSONParser.parse(response.body),
                let evaluation = BulkEvaluation(document)
            else {
                let error = FlagClientError(
                    code: .badResponse,
                    message:
                        "the answer is no evaluation of flags: check that the endpoint is an OFREP service",
                    status: 200)
                self = .failure(ServiceFailure(error: error))
                return
            }
            self = .evaluation(evaluation, etag: response.head.headers["etag"])
        case .success(let response) where response.head.status == 304:
            self = .notModified
        case .success(let response):
            self = .failure(ServiceFailure(response.head))
        }
    }
}

extension ServiceFailure {
    /// The failure that a transport met.
    init(_ error: FlagTransportError) {
        let code: FlagClientError.Code =
            switch error.kind {
            case .timedOut: .timedOut
            case .tooLarge: .badResponse
            default: .network
            }
        self.init(error: FlagClientError(code: code, message: error.message))
    }

    /// The failure that an answer other than the one hoped for stands for.
    init(_ head: FlagTransportHead) {
        let (code, message): (FlagClientError.Code, String) =
            switch head.status {
            case 401: (.unauthorized, "the service refuses the key: check the client key")
            case 403: (.forbidden, "the key is not allowed to evaluate flags: use a client key")
            case 404: (.notFound, "there is no such service at the endpoint: give the address before /ofrep")
            case 429: (.rateLimited, "too many requests: the client waits before it asks again")
            case 413: (.rejected, "the service takes no context of this size (413): leave attributes out")
            case 300..<400: (.badResponse, "the service redirects: set the endpoint to where it is")
            case 400..<500:
                (
                    .rejected,
                    "the service does not accept the request (\(head.status)): check the context's attributes"
                )
            case 500...:
                (
                    .serverError,
                    "the service failed (\(head.status)): its log may say why; the client tries again"
                )
            default: (.badResponse, "the answer has the unexpected status \(head.status)")
            }
        self.init(
            error: FlagClientError(code: code, message: message, status: head.status),
            retryAfter: Self.retryAfter(head))
    }

    /// When the service allows the next request.
    ///
    /// A date counts from the service's own clock, where the answer tells it: the device's can be wrong by years.
    private static func retryAfter(_ head: FlagTransportHead) -> RetryAfter? {
        guard let retryAfter = head.headers["retry-after"].flatMap(RetryAfter.init(_:)) else { return nil }
        guard case .date = retryAfter,
            case .date(let now)? = head.headers["date"].flatMap(RetryAfter.init(_:))
        else { return retryAfter }
        return .seconds(retryAfter.delay(now: now, cap: .max))
    }
}
