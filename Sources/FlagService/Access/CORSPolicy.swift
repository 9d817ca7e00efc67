/// Which web pages may use the service from a browser (Fetch standard, CORS).
package struct CORSPolicy: Hashable, Sendable {
    /// Origins such as `https://app.example.com`, or `*` for all.
    ///
    /// Default: none.
    package var allowedOrigins: Set<String>

    /// Makes a policy.
    package init(allowedOrigins: Set<String> = []) {
        self.allowedOrigins = allowedOrigins
    }

    /// Whether a text is an origin as browsers send it, scheme and host and nothing behind, or `*`.
    package static func isOrigin(_ text: String) -> Bool {
        if text == "*" { return true }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["http", "https"].contains(parts[0]), parts[1].hasPrefix("//") else {
            return false
        }
        let host = parts[1].utf8.dropFirst(2)
        return !host.isEmpty
            && host.allSatisfy { $0 > 0x20 && $0 < 0x7F && ![0x2F, 0x3F, 0x23, 0x40].contains($0) }
    }

    /// Whether any page is let in at all.
    var isEnabled: Bool { !allowedOrigins.isEmpty }

    /// The headers of an answer to a request from that origin.
    func headers(forOrigin origin: String?) -> [(String, String)] {
        guard isEnabled else { return [] }
        let exposed = ("Access-Control-Expose-Headers", "ETag, Retry-After")
        if allowedOrigins.contains("*") { return [("Access-Control-Allow-Origin", "*"), exposed] }
        let vary = ("Vary", "Origin")
        guard let origin, allowedOrigins.contains(origin) else { return [vary] }
        return [("Access-Control-Allow-Origin", origin), exposed, vary]
    }

    /// The headers of an answer to a request whose origin is not known, as far as one answer can fit all.
    var headersForAnyOrigin: [(String, String)] {
        allowedOrigins.count == 1 ? headers(forOrigin: allowedOrigins.first) : []
    }

    /// The further headers of the answer to a preflight request.
    func preflightHeaders(methods: [String]) -> [(String, String)] {
        [
            ("Access-Control-Allow-Methods", methods.joined(separator: ", ")),
            (
                "Access-Control-Allow-Headers",
                "Authorization, Content-Type, If-None-Match, X-API-Key, Flagd-Selector, Last-Event-ID"
            ),
            ("Access-Control-Max-Age", "600"),
        ]
    }
}
