/// The method of a request, such as `GET`; methods are case-sensitive.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The method as the client sent it.
    package let rawValue: String

    /// A method with any name.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A method with any name.
    package init(stringLiteral value: String) {
        rawValue = value
    }

    /// `GET`.
    package static let get: HTTPMethod = "GET"
    /// `HEAD`; handlers see it as `GET`, see ``HTTPRequest/isHead``.
    package static let head: HTTPMethod = "HEAD"
    /// `POST`.
    package static let post: HTTPMethod = "POST"
    /// `PUT`.
    package static let put: HTTPMethod = "PUT"
    /// `PATCH`.
    package static let patch: HTTPMethod = "PATCH"
    /// `DELETE`.
    package static let delete: HTTPMethod = "DELETE"
    /// `OPTIONS`.
    package static let options: HTTPMethod = "OPTIONS"
}
