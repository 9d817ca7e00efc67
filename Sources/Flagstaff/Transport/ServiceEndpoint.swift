import Foundation

/// One of the addresses at which a service is, checked.
struct ServiceEndpoint: Hashable, Sendable {
    /// The endpoint without a slash at its end: what paths are appended to.
    let base: String
    /// Scheme, host and port: what announced paths are appended to.
    let originText: String
    let origin: Origin

    /// Checks an endpoint.
    ///
    /// - Parameters:
    ///   - url: The endpoint as configured.
    ///   - name: What it is called in errors.
    /// - Throws: ``FlagClientError`` saying what to set right.
    init(_ url: URL, name: String) throws(FlagClientError) {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let origin = Origin(components)
        else {
            throw .invalid(
                "\(name) must be an absolute http or https URL such as https://flags.example.com")
        }
        guard components.query == nil, components.fragment == nil, components.user == nil else {
            throw .invalid(
                "\(name) must have no query, fragment or user: use `key` and `headers` for secrets")
        }
        var path = components.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        components.percentEncodedPath = path
        guard let base = components.string else {
            throw .invalid("\(name) has a path that is not a valid one")
        }
        components.percentEncodedPath = ""
        self.base = base
        self.originText = components.string ?? base
        self.origin = origin
    }

    /// What an address has after the endpoint: a path with a query; `nil` when it is not below the endpoint.
    func path(of url: URL) -> Substring? {
        let text = url.absoluteString
        guard text.hasPrefix(base) else { return nil }
        let path = text.dropFirst(base.count)
        return path.hasPrefix("/") ? path : nil
    }

    /// The same path and query at this endpoint's origin.
    func moved(_ url: URL) -> URL? {
        let text = url.absoluteString
        guard let scheme = text.range(of: "://") else { return nil }
        let path = text[scheme.upperBound...].drop { $0 != "/" && $0 != "?" && $0 != "#" }
        return URL(string: originText + path)
    }
}

/// Scheme, host and port of a URL: whom a secret may be shown to.
struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    /// The origin of an absolute `http` or `https` URL; `nil` for any other.
    init?(_ components: URLComponents) {
        guard let scheme = components.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = components.host, !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = components.port ?? (scheme == "https" ? 443 : 80)
    }

    /// The origin of an absolute `http` or `https` URL; `nil` for any other.
    init?(_ url: URL) {
        guard let components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        self.init(components)
    }
}

extension FlagClientError {
    /// A configuration that cannot work.
    static func invalid(_ message: String) -> FlagClientError {
        FlagClientError(code: .invalidConfiguration, message: message)
    }
}
