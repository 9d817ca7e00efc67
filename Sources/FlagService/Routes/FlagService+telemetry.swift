import FlagModel
import HTTPServer

extension FlagService {
    /// `POST /api/v1/telemetry`: a client's report; see `docs/protocol.md`.
    func telemetry(_ request: HTTPRequest, keyID: ClientKeys.ID?) -> HTTPResponse {
        // Also keeps pages of other origins out: browsers ask before they send this type.
        guard Self.isJSON(request.header("Content-Type")) else {
            intake.reject(.mediaType)
            return .refusal(.unsupportedMediaType, "send the batch as 'Content-Type: application/json'")
        }
        switch intake.take(request.body, from: keyID?.description ?? "") {
        case .accepted: return .json(.accepted, ["status": "accepted"])
        case .duplicate: return .json(.accepted, ["status": "duplicate"])
        case .refused(let refusal):
            let status: HTTPStatus = refusal.kind == .tooLarge ? .contentTooLarge : .badRequest
            return .refusal(status, refusal.description)
        }
    }

    /// Whether a media type is JSON, whatever its parameters and its case.
    static func isJSON(_ contentType: String?) -> Bool {
        let type = contentType?.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first
        return type?.filter { $0 != " " && $0 != "\t" }.lowercased() == "application/json"
    }
}
