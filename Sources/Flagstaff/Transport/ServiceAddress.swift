/// Where the service is and what every request to it carries: a checked form of the configuration.
package struct ServiceAddress: Sendable {
    /// The endpoint, and the others that stand in for it, in their order; none is there twice.
    let endpoints: [ServiceEndpoint]
    /// The key and the configured headers: for the endpoints' own origins only.
    let privateHeaders: [String: String]
    /// Whether the configuration asks for some flag sets only.
    let selectsFlagSets: Bool

    /// Checks a configuration.
    ///
    /// - Throws: ``FlagClientError`` saying what to set right.
    package init(_ configuration: FlagClientConfiguration) throws(FlagClientError) {
        var endpoints = [try ServiceEndpoint(configuration.endpoint, name: "the endpoint")]
        for (index, url) in configuration.fallbackEndpoints.enumerated() {
            let endpoint = try ServiceEndpoint(url, name: "fallback endpoint \(index + 1)")
            if !endpoints.contains(where: { $0.base == endpoint.base }) { endpoints.append(endpoint) }
        }
        self.endpoints = endpoints
        privateHeaders = try ServiceHeaders.fixed(configuration)
        selectsFlagSets =
            configuration.headers[ServiceHeaders.selectorName] == nil
            && privateHeaders[ServiceHeaders.selectorName] != nil
        try checkTelemetry(configuration.telemetry)
    }

    /// Which flags are asked for, as the service is told it: with `flagSets` or with a header of the app's own.
    var selector: String? {
        privateHeaders.first { $0.key.lowercased() == ServiceHeaders.selectorName.lowercased() }?.value
    }

    /// The endpoint that requests are made for; they can be sent to another.
    var first: ServiceEndpoint { endpoints[0] }

    /// The first endpoint without a slash at its end: what paths are appended to.
    var base: String { first.base }

    /// Scheme, host and port of the first endpoint: what announced paths are appended to.
    var originText: String { first.originText }

    /// Whether the key and the configured headers may be shown there.
    func isOwn(_ origin: Origin) -> Bool { endpoints.contains { $0.origin == origin } }
}
