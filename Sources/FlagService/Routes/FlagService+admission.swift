import HTTPServer

extension FlagService {
    /// Whether a request may have flags.
    enum Admission {
        /// With the key of this id; `nil` where the service asks for none.
        case admitted(ClientKeys.ID?)
        case refused(HTTPResponse)
    }

    /// Looks at the request's key.
    ///
    /// The notice stream also admits by a token in its query.
    func admission(of request: HTTPRequest, _ route: Route) -> Admission {
        if keys.isOpen { return .admitted(nil) }
        let presented = ClientKeys.presented(
            authorization: request.header("Authorization"), apiKey: request.header("X-API-Key"))
        if let presented {
            if let id = keys.id(for: presented) { return .admitted(id) }
            return .refused(unauthorized("this client key is not known to the service"))
        }
        if route == .noticeStream,
            let token = request.queryItems?.first(where: { $0.name == "token" })?.value,
            let id = keys.id(forStreamToken: token)
        {
            return .admitted(id)
        }
        return .refused(unauthorized("send a client key as 'Authorization: Bearer KEY' or 'X-API-Key: KEY'"))
    }

    private func unauthorized(_ details: String) -> HTTPResponse {
        .refusal(
            .unauthorized, details, headers: [HTTPHeader("WWW-Authenticate", "Bearer realm=\"flagstaff\"")])
    }

    /// `OPTIONS`, as browsers ask before a request from another origin.
    func preflight(_ request: HTTPRequest) -> HTTPResponse {
        let methods = Route.allowedMethods(path: request.path)
        let headers =
            configuration.cors.isEnabled ? configuration.cors.preflightHeaders(methods: methods) : []
        return HTTPResponse(
            .noContent,
            headers: [HTTPHeader("Allow", methods.joined(separator: ", "))]
                + headers.map { HTTPHeader($0.0, $0.1) })
    }
}
