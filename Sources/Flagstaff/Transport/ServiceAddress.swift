import Foundation

/// Where the service is and what every request to it carries: a checked form of the configuration.
package struct ServiceAddress: Sendable {
    /// The endpoint without a slash at its end: what paths are appended to.
    let base: String
    /// Scheme, host and port: what announced paths are appended to.
    let originText: String
    let origin: Origin
    /// The key and the configured headers: for the endpoint's own origin only.
    let privateHeaders: [String: String]

    /// Checks a configuration.
    ///
    /// - Throws: ``FlagClientError`` saying what to set right.
    package init(_ configuration: FlagClientConfiguration) throws(FlagClientError) {
        guard var components = URLComponents(url: configuration.endpoint, resolvingAgainstBaseURL: true),
            let origin = Origin(components)
        else {
            throw Self.invalid(
                "the endpoint must be an absolute http or https URL such as https://flags.example.com")
        }
        guard components.query == nil, components.fragment == nil, components.user == nil else {
            throw Self.invalid(
                "the endpoint must have no query, fragment or user: use `key` and `headers` for secrets")
        }
        var path = components.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        components.percentEncodedPath = path
        guard let base = components.string else {
            throw Self.invalid("the endpoint's path is not a valid one")
        }
        components.percentEncodedPath = ""
        self.base = base
        self.originText = components.string ?? base
        self.origin = origin
        self.privateHeaders = try Self.headers(of: configuration)
        try checkTelemetry(configuration.telemetry)
    }

    private static func headers(
        of configuration: FlagClientConfiguration
    ) throws(FlagClientError) -> [String: String] {
        var headers: [String: String] = [:]
        for (name, value) in configuration.headers {
            guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else {
                throw invalid("a header is named '\(name)': use letters, digits and hyphens")
            }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw invalid("the value of header '\(name)' holds a line break or control character")
            }
            guard !ownHeaders.contains(name.lowercased()) else {
                throw invalid("the header '\(name)' is set by the client itself: leave it out of `headers`")
            }
            headers[name] = value
        }
        guard let key = configuration.key else { return headers }
        guard !key.isEmpty, key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw invalid(
                "the key is blank or holds spaces or line breaks: pass the key as issued, or nil for none")
        }
        guard !headers.keys.contains(where: { $0.lowercased() == "authorization" }) else {
            throw invalid("give either `key` or an Authorization header, not both")
        }
        headers["Authorization"] = "Bearer \(key)"
        return headers
    }

    private static let ownHeaders: Set = [
        "accept", "connection", "content-length", "content-type", "host", "if-none-match", "last-event-id",
        "transfer-encoding",
    ]

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func invalid(_ message: String) -> FlagClientError {
        FlagClientError(code: .invalidConfiguration, message: message)
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
