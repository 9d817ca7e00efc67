package import FlagModel

extension FlagService {
    /// How the service behaves.
    package struct Configuration: Sendable {
        /// Which web pages may use the service from a browser.
        ///
        /// Default: none.
        package var cors: CORSPolicy
        /// How many requests a second each key, or without keys each address, may make; bursts of two
        /// seconds' worth are let through.
        ///
        /// Default: no limit.
        package var requestsPerSecond: Double?
        /// How streams are kept.
        package var streams: StreamHub.Configuration
        /// What one report of a client may hold.
        package var telemetry: TelemetryLimits
        /// After how many seconds in the background clients should close their streams.
        package static let inactivityDelay = 120

        /// Makes a configuration.
        package init(
            cors: CORSPolicy = CORSPolicy(), requestsPerSecond: Double? = nil,
            streams: StreamHub.Configuration = StreamHub.Configuration(),
            telemetry: TelemetryLimits = TelemetryLimits()
        ) {
            self.cors = cors
            self.requestsPerSecond = requestsPerSecond
            self.streams = streams
            self.telemetry = telemetry
        }
    }

    /// The change streams that an answer announces: the standard's, and the one of evaluated flags, which clients
    /// that do not know it pass over.
    static func eventStreams(for identity: FlagView.Identity) -> [EventStream] {
        var notices = Route.noticeStreamPath
        if let keyID = identity.keyID { notices += "?token=\(ClientKeys.streamToken(for: keyID))" }
        return [
            EventStream(
                type: EventStream.refetchType, location: .endpoint(requestURI: notices, origin: nil),
                inactivityDelay: Configuration.inactivityDelay),
            EventStream(
                type: EventStream.evaluationsType,
                location: .endpoint(requestURI: Route.evaluationStreamPath, origin: nil),
                inactivityDelay: Configuration.inactivityDelay),
        ]
    }
}
