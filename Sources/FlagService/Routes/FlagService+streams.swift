import FlagModel
import HTTPServer

extension FlagService {
    /// `POST /flagstaff/v1/evaluations`: this context's evaluated flags, now and at every change.
    func evaluationStream(_ request: HTTPRequest, _ view: FlagView) -> HTTPResponse {
        // The context is kept for as long as the stream is open, so it must be smaller than a request's may be.
        let limit = configuration.streams.maximumContextBytes
        if request.body.count > limit {
            let details = "the context of a stream may have at most \(limit) bytes; fetch the flags instead"
            return .refusal(.contentTooLarge, details)
        }
        let attributes: [String: FlagValue]
        do throws(OFREPContext.Refusal) {
            attributes = try OFREPContext.parse(request.body)
        } catch {
            return .refusal(.badRequest, error.details, code: .invalidContext)
        }
        return eventStream(
            hub.openEvaluations(
                body: request.body, contextFingerprint: Fingerprint(of: .object(attributes)), view: view,
                ifNoneMatch: request.header("If-None-Match")))
    }

    /// `GET /ofrep/v1/events`: the standard's notices to fetch again.
    func noticeStream(_ view: FlagView) -> HTTPResponse {
        eventStream(hub.openNotices(identity: view.identity))
    }

    private func eventStream(_ stream: HTTPStream?) -> HTTPResponse {
        guard let stream else {
            let headers = [HTTPHeader("Retry-After", "\(hub.retryDelay)")]
            return .refusal(
                .serviceUnavailable, "there is no room for another stream at the moment; poll instead",
                headers: headers)
        }
        let headers = [
            HTTPHeader("Content-Type", "text/event-stream"),
            HTTPHeader("Cache-Control", "no-cache, no-transform"),
            // Asks nginx, where it stands in front, to pass events on at once.
            HTTPHeader("X-Accel-Buffering", "no"),
        ]
        return HTTPResponse(.ok, headers: headers, body: .stream(stream))
    }
}
