public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// How a ``FlagClient`` reaches its service and how it behaves.
///
/// Only the endpoint is needed; everything else has a default that suits an app.
public struct FlagClientConfiguration: Sendable {
    /// The service's address: the part before `/ofrep`, absolute, `http` or `https`.
    ///
    /// A path is kept as a prefix.
    public var endpoint: URL
    /// The client key, sent as `Authorization: Bearer …` to the endpoint's own origin and nowhere else.
    ///
    /// `nil` for services without keys.
    public var key: String?
    /// How values are kept up to date.
    ///
    /// Default ``FlagSyncMode/streaming``.
    public var sync: FlagSyncMode
    /// What reads give between a change of context and the arrival of its values.
    ///
    /// Default ``FlagContextSwitchPolicy/keepUntilReplaced``.
    public var contextSwitch: FlagContextSwitchPolicy
    /// How often to ask while a stream is down or the service offers none, in seconds.
    ///
    /// Default 30; less than ``FlagSyncMode/shortestInterval`` counts as that.
    public var fallbackInterval: TimeInterval
    /// How long one request may take from start to end, in seconds.
    ///
    /// Default 10, at least 0.1.
    public var requestTimeout: TimeInterval
    /// Headers that go with every request to the endpoint's own origin.
    ///
    /// Default none.
    public var headers: [String: String]
    /// The session configuration to start from, for proxies and the like.
    ///
    /// It is copied; caching, cookies and time-outs are set by the client. Default `nil`: the system's
    /// default.
    public var sessionConfiguration: URLSessionConfiguration?
    /// What carries requests and answers in place of `URLSession`.
    ///
    /// It serves one client, which closes it when it is closed: each client is given one of its own.
    /// ``sessionConfiguration`` has no effect on it. Default `nil`: `URLSession`.
    public var transport: (any FlagTransport)?
    /// Where the client reports what it does.
    ///
    /// Default: the system log on Apple platforms and standard error elsewhere, warnings and above.
    public var logger: any FlagLogger

    /// Makes a configuration with defaults for all but the service.
    ///
    /// - Parameters:
    ///   - endpoint: The service's address, the part before `/ofrep`.
    ///   - key: The client key, or `nil` for services without keys.
    public init(endpoint: URL, key: String? = nil) {
        self.endpoint = endpoint
        self.key = key
        sync = .streaming
        contextSwitch = .keepUntilReplaced
        fallbackInterval = 30
        requestTimeout = 10
        headers = [:]
        sessionConfiguration = nil
        transport = nil
        logger = defaultFlagLogger()
    }
}

extension FlagClientConfiguration: CustomStringConvertible {
    /// The endpoint's host and the sync mode: never the key or a header, fit for logs.
    public var description: String {
        "FlagClientConfiguration(host \(endpoint.host ?? "missing"), \(sync), key \(key == nil ? "none" : "set"))"
    }
}
