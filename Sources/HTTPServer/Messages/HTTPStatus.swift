/// The status code of a response.
package struct HTTPStatus: RawRepresentable, Hashable, Sendable {
    /// The three-digit code.
    package let rawValue: Int

    /// A status with any code from 100 to 999.
    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// 200.
    package static let ok = HTTPStatus(rawValue: 200)
    /// 201.
    package static let created = HTTPStatus(rawValue: 201)
    /// 202.
    package static let accepted = HTTPStatus(rawValue: 202)
    /// 204: never has a body.
    package static let noContent = HTTPStatus(rawValue: 204)
    /// 301.
    package static let movedPermanently = HTTPStatus(rawValue: 301)
    /// 302.
    package static let found = HTTPStatus(rawValue: 302)
    /// 304: never has a body.
    package static let notModified = HTTPStatus(rawValue: 304)
    /// 400.
    package static let badRequest = HTTPStatus(rawValue: 400)
    /// 401.
    package static let unauthorized = HTTPStatus(rawValue: 401)
    /// 403.
    package static let forbidden = HTTPStatus(rawValue: 403)
    /// 404.
    package static let notFound = HTTPStatus(rawValue: 404)
    /// 405.
    package static let methodNotAllowed = HTTPStatus(rawValue: 405)
    /// 406.
    package static let notAcceptable = HTTPStatus(rawValue: 406)
    /// 408.
    package static let requestTimeout = HTTPStatus(rawValue: 408)
    /// 409.
    package static let conflict = HTTPStatus(rawValue: 409)
    /// 412.
    package static let preconditionFailed = HTTPStatus(rawValue: 412)
    /// 413.
    package static let contentTooLarge = HTTPStatus(rawValue: 413)
    /// 415.
    package static let unsupportedMediaType = HTTPStatus(rawValue: 415)
    /// 422.
    package static let unprocessableContent = HTTPStatus(rawValue: 422)
    /// 428.
    package static let preconditionRequired = HTTPStatus(rawValue: 428)
    /// 429.
    package static let tooManyRequests = HTTPStatus(rawValue: 429)
    /// 431.
    package static let headerFieldsTooLarge = HTTPStatus(rawValue: 431)
    /// 500.
    package static let internalServerError = HTTPStatus(rawValue: 500)
    /// 501.
    package static let notImplemented = HTTPStatus(rawValue: 501)
    /// 503.
    package static let serviceUnavailable = HTTPStatus(rawValue: 503)
}
