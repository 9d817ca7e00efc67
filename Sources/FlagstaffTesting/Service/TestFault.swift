/// How a request to a ``TestFlagService`` fails.
public struct TestFault: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        case network
        case answer(status: Int, headers: [String: String], body: String)
    }

    let form: Form

    /// The connection breaks, or there is none.
    public static let network = TestFault(form: .network)

    /// The service refuses the key: a status of 401, on which a client stops.
    public static let unauthorized = status(401)

    /// A status of 200 with a body that is no JSON.
    public static let malformed = answer(status: 200, body: "<html>Welcome to the hotel</html>")

    /// An answer with that status.
    ///
    /// - Parameters:
    ///   - status: The status code, such as 429 or 500.
    ///   - retryAfter: After how many whole seconds the service allows the next request: the header `Retry-After`.
    ///     Default: none.
    /// - Returns: The fault.
    public static func status(_ status: Int, retryAfter: Int? = nil) -> TestFault {
        var headers: [String: String] = [:]
        headers["Retry-After"] = retryAfter.map { "\($0)" }
        return answer(status: status, headers: headers)
    }

    /// Any answer at all.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The headers by name. Default: none.
    ///   - body: The body. Default: none.
    /// - Returns: The fault.
    public static func answer(
        status: Int, headers: [String: String] = [:], body: String = ""
    ) -> TestFault {
        TestFault(form: .answer(status: status, headers: headers, body: body))
    }
}
