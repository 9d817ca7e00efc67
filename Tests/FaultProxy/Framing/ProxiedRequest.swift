/// A request that went through a proxy.
package struct ProxiedRequest: Hashable, Sendable {
    /// The method.
    package var method: String
    /// The path with its query.
    package var target: String
    /// The headers; names are in lower case, and of several the last counts.
    package var headers: [String: String]
    /// The body.
    package var body: [UInt8]

    /// Makes a request.
    package init(
        method: String, target: String, headers: [String: String] = [:], body: [UInt8] = []
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// The path without its query.
    package var path: Substring { target.prefix { $0 != "?" } }
}
