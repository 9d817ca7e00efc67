import FlagEvaluation
import FlagModel
import HTTPServer

extension FlagService {
    /// `POST /ofrep/v1/evaluate/flags`: all flags, or 304 when the client has these results already.
    func bulkEvaluation(_ request: HTTPRequest, _ view: FlagView) -> HTTPResponse {
        let attributes: [String: FlagValue]
        do throws(OFREPContext.Refusal) {
            attributes = try OFREPContext.parse(request.body)
        } catch {
            return .refusal(.badRequest, error.details, code: .invalidContext)
        }
        let context = EvaluationContext(attributes: attributes, now: clock())
        let etag = view.etag(for: context, fingerprint: Fingerprint(of: .object(attributes)))
        let headers = [HTTPHeader("ETag", etag)]
        if EntityTag.matches(request.header("If-None-Match"), etag) {
            return HTTPResponse(.notModified, headers: headers)
        }
        return .json(.ok, bytes: view.body(for: context), headers: headers)
    }

    /// `POST /ofrep/v1/evaluate/flags/{key}`.
    func singleEvaluation(_ request: HTTPRequest, _ key: String, _ view: FlagView) -> HTTPResponse {
        let attributes: [String: FlagValue]
        do throws(OFREPContext.Refusal) {
            attributes = try OFREPContext.parse(request.body)
        } catch {
            return .failure(.badRequest, key: key, .invalidContext, error.details)
        }
        guard let flag = view.flag(key) else {
            let details = "there is no flag with this key"
            return .failure(.notFound, key: key, .flagNotFound, details, metadata: view.metadata)
        }
        let outcome = flag.evaluate(EvaluationContext(attributes: attributes, now: clock()))
        return .json(outcome.failure == nil ? .ok : .badRequest, bytes: flag.encoded(outcome))
    }
}
