/// A change stream that a bulk answer announces (OFREP 0.3, `eventStreams`).
package struct EventStream: Hashable, Sendable {
    /// Where the stream is.
    package enum Location: Hashable, Sendable {
        /// A whole URL. It can carry a secret: never to be logged or stored.
        case url(String)
        /// A path with query below an origin; without an origin, below the service's own.
        case endpoint(requestURI: String, origin: String?)
    }

    /// The type of stream.
    ///
    /// Clients pass over types that they do not know.
    package var type: String
    /// Where the stream is.
    package var location: Location
    /// After how many seconds in the background a client closes the stream; `nil` leaves it to the client (120).
    package var inactivityDelay: Int?

    /// The standard's own type: notices to fetch again.
    package static let refetchType = "sse"
    /// A stream of this context's evaluated flags themselves, opened with the body of a bulk request.
    package static let evaluationsType = "flagstaff.evaluations"

    /// Announces a stream.
    package init(type: String, location: Location, inactivityDelay: Int? = nil) {
        self.type = type
        self.location = location
        self.inactivityDelay = inactivityDelay
    }

    /// Reads an entry of `eventStreams`; `nil` when it is none: not exactly one of `url` and `endpoint`, a path that
    /// does not start with `/`.
    package init?(_ value: FlagValue) {
        guard let type = value["type"]?.stringValue else { return nil }
        let url = value["url"]?.stringValue
        let requestURI = value["endpoint"]?["requestUri"]?.stringValue
        switch (url, requestURI) {
        case (let url?, nil) where value["endpoint"]?.isNull ?? true:
            location = .url(url)
        case (nil, let requestURI?) where value["url"]?.isNull ?? true && requestURI.hasPrefix("/"):
            location = .endpoint(requestURI: requestURI, origin: value["endpoint"]?["origin"]?.stringValue)
        default:
            return nil
        }
        self.type = type
        inactivityDelay = value["inactivityDelaySec"]?.intValue.flatMap { $0 >= 1 ? Int(clamping: $0) : nil }
    }

    /// The entry as a bulk answer carries it.
    package var json: FlagValue {
        var members: [String: FlagValue] = ["type": .string(type)]
        switch location {
        case .url(let url):
            members["url"] = .string(url)
        case .endpoint(let requestURI, let origin):
            var endpoint: [String: FlagValue] = ["requestUri": .string(requestURI)]
            if let origin { endpoint["origin"] = .string(origin) }
            members["endpoint"] = .object(endpoint)
        }
        if let inactivityDelay { members["inactivityDelaySec"] = .int(Int64(inactivityDelay)) }
        return .object(members)
    }

    /// The URL of the stream for a service with that origin (`https://host:port`).
    package func url(serviceOrigin: String) -> String {
        switch location {
        case .url(let url): url
        case .endpoint(let requestURI, let origin): (origin ?? serviceOrigin) + requestURI
        }
    }
}
