/// Where the services are; what is not named is where the app was deployed.
public struct ServiceEndpoints: Hashable, Sendable {
    /// Where flags are evaluated and streamed.
    public internal(set) var sdkEndpoint: String?
    /// Where events and reports go.
    public internal(set) var eventsEndpoint: String?
    /// Not used; checked.
    public internal(set) var authServiceEndpoint: String?
    /// Not used; checked.
    public internal(set) var streamingServiceEndpoint: String?
    /// Not used; checked.
    public internal(set) var telemetryServiceEndpoint: String?

    /// Begins endpoints.
    ///
    /// - Returns: A builder.
    public static func builder() -> Builder { Builder() }

    /// Builds ``ServiceEndpoints``.
    public struct Builder: Sendable {
        private var endpoints = ServiceEndpoints()

        /// Sets where flags are evaluated and streamed.
        ///
        /// - Parameter sdkEndpoint: An absolute `http` or `https` URL.
        /// - Returns: The builder.
        public func set(sdkEndpoint: String) -> Builder { setting(\.sdkEndpoint, sdkEndpoint) }

        /// Sets where events and reports go.
        ///
        /// - Parameter eventsEndpoint: An absolute `http` or `https` URL.
        /// - Returns: The builder.
        public func set(eventsEndpoint: String) -> Builder { setting(\.eventsEndpoint, eventsEndpoint) }

        /// Sets an address that is checked and not used.
        ///
        /// - Parameter authServiceEndpoint: An absolute `http` or `https` URL.
        /// - Returns: The builder.
        public func set(authServiceEndpoint: String) -> Builder {
            setting(\.authServiceEndpoint, authServiceEndpoint)
        }

        /// Sets an address that is checked and not used.
        ///
        /// - Parameter streamingServiceEndpoint: An absolute `http` or `https` URL.
        /// - Returns: The builder.
        public func set(streamingServiceEndpoint: String) -> Builder {
            setting(\.streamingServiceEndpoint, streamingServiceEndpoint)
        }

        /// Sets an address that is checked and not used.
        ///
        /// - Parameter telemetryServiceEndpoint: An absolute `http` or `https` URL.
        /// - Returns: The builder.
        public func set(telemetryServiceEndpoint: String) -> Builder {
            setting(\.telemetryServiceEndpoint, telemetryServiceEndpoint)
        }

        /// Ends the endpoints.
        ///
        /// - Returns: The endpoints.
        public func build() -> ServiceEndpoints { endpoints }

        private func setting(_ path: WritableKeyPath<ServiceEndpoints, String?>, _ value: String) -> Builder {
            var copy = self
            copy.endpoints[keyPath: path] = value
            return copy
        }
    }
}
