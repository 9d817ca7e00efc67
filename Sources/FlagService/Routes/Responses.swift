import FlagModel
import HTTPServer

extension HTTPResponse {
    /// An answer with a JSON body.
    static func json(_ status: HTTPStatus, _ value: FlagValue, headers: [HTTPHeader] = []) -> HTTPResponse {
        json(status, bytes: JSONWriter.bytes(of: value, options: .sortedKeys), headers: headers)
    }

    /// An answer with a JSON body that is written already.
    static func json(_ status: HTTPStatus, bytes: [UInt8], headers: [HTTPHeader] = []) -> HTTPResponse {
        HTTPResponse(status, contentType: "application/json", headers: headers, bytes: bytes)
    }

    /// An answer that says what went wrong, in OFREP's form.
    static func refusal(
        _ status: HTTPStatus, _ details: String, code: FlagErrorCode? = nil, headers: [HTTPHeader] = []
    ) -> HTTPResponse {
        var members: [String: FlagValue] = ["errorDetails": .string(details)]
        if let code { members["errorCode"] = .string(code.rawValue) }
        return json(status, .object(members), headers: headers)
    }

    /// An answer for one flag that could not be evaluated, in OFREP's form.
    static func failure(
        _ status: HTTPStatus, key: String, _ code: FlagErrorCode, _ details: String,
        metadata: [String: FlagValue] = [:]
    ) -> HTTPResponse {
        let resolution = FlagResolution(
            key: key, reason: .error, errorCode: code, errorDetails: details, metadata: metadata)
        return json(status, resolution.ofrep)
    }
}
