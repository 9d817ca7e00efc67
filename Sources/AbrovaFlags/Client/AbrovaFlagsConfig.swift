import Flagstaff
public import Foundation

/// What an ``AbrovaFlags`` client asks for and how it behaves: everything but the key has a default.
public struct AbrovaFlagsConfig: Sendable {
    /// The public API key, a client key of the flag service; never stored on the device.
    public var apiKey: String
    /// The environment whose values are asked for.
    ///
    /// Default `nil`: the Default values, those of the key's own environment or the service's default one.
    public var environment: String?
    /// The service's address, an absolute `http` or `https` URL.
    ///
    /// Default ``defaultBaseURL``.
    public var baseURL: URL
    /// How often to fetch values on a timer, in seconds; less than 30 counts as 30.
    ///
    /// Default `nil`: no timer.
    public var refreshIntervalSeconds: TimeInterval?
    /// How long one request may take, in seconds; at least 0.1.
    ///
    /// Default 10.
    public var requestTimeoutSeconds: TimeInterval
    /// How old values must be, in seconds, for the app's return to the foreground to fetch new ones.
    ///
    /// Default 900, 15 minutes. 0 fetches each time, `.infinity` never.
    public var foregroundRefreshSeconds: TimeInterval
    /// The least important messages that are logged.
    ///
    /// Default ``AbrovaFlagsLogLevel/warning``.
    public var logLevel: AbrovaFlagsLogLevel

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - apiKey: The public API key.
    ///   - environment: The environment. Default `nil`: the Default values.
    ///   - baseURL: The service's address. Default ``defaultBaseURL``.
    ///   - refreshIntervalSeconds: How often to fetch on a timer, at least 30. Default `nil`: never.
    ///   - requestTimeoutSeconds: How long one request may take. Default 10.
    ///   - foregroundRefreshSeconds: How old values must be for a return to the foreground to fetch. Default 900.
    ///   - logLevel: The least important messages that are logged. Default warnings.
    public init(
        apiKey: String,
        environment: String? = nil,
        baseURL: URL = AbrovaFlagsConfig.defaultBaseURL,
        refreshIntervalSeconds: TimeInterval? = nil,
        requestTimeoutSeconds: TimeInterval = 10,
        foregroundRefreshSeconds: TimeInterval = 900,
        logLevel: AbrovaFlagsLogLevel = .warning
    ) {
        self.apiKey = apiKey
        self.environment = environment
        self.baseURL = baseURL
        self.refreshIntervalSeconds = refreshIntervalSeconds
        self.requestTimeoutSeconds = requestTimeoutSeconds
        self.foregroundRefreshSeconds = foregroundRefreshSeconds
        self.logLevel = logLevel
    }

    /// Where a client connects whose code names no address: the environment variable `FLAGSTAFF_ENDPOINT`, else the key
    /// `FlagstaffEndpoint` of the app's Info.plist, else `http://127.0.0.1:8080`.
    public static var defaultBaseURL: URL { FlagClientConfiguration.deployedEndpoint(logger: SilentLogger()) }
}

extension AbrovaFlagsConfig: CustomStringConvertible {
    /// The address and the environment, never the key: fit for logs.
    public var description: String {
        "AbrovaFlagsConfig(host \(baseURL.host ?? "missing"), environment \(environment ?? "default"))"
    }
}
