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
    /// Other addresses of the same service, in the order in which they stand in for ``endpoint``.
    ///
    /// A request that meets a fault of the network, a time-out or a 5xx goes on to the next address, all within
    /// ``requestTimeout``: each but the last gets two fifths of the time that is left. Any other answer, a refusal too, is
    /// one and ends the request. The client stays with the address that works until it fails, and tries ``endpoint``
    /// first again ten minutes after it has failed. Streams are opened at the address that gave the last answer, and
    /// stay there while they live.
    ///
    /// The key and the headers go to all of them. Default none.
    public var fallbackEndpoints: [URL]
    /// The client key, sent as `Authorization: Bearer …` to the endpoints' own origins, to
    /// ``FlagTelemetryPolicy/url`` where the app names one, and nowhere else.
    ///
    /// `nil` for services without keys.
    public var key: String?
    /// The environment whose flags are asked for, where the key is good for several.
    ///
    /// Sent percent-encoded as the header `X-Flagstaff-Environment`. Nothing that is stored for one environment is ever
    /// read for another. Default `nil`, and an empty name is the same: the key's own, or the service's default.
    public var environment: String?
    /// How values are kept up to date.
    ///
    /// Default ``FlagSyncMode/streaming``.
    public var sync: FlagSyncMode
    /// What reads give between a change of context and the arrival of its values.
    ///
    /// Default ``FlagContextSwitchPolicy/keepUntilReplaced``.
    public var contextSwitch: FlagContextSwitchPolicy
    /// How long to wait after a change of context for a further one, in seconds: several in a row make one request.
    ///
    /// What reads give meanwhile is ``contextSwitch``. Default 0, at most 60.
    public var contextChangeDelay: TimeInterval
    /// Which values are enough for `start` and `setContext` to return.
    ///
    /// Default ``FlagStartRequirement/fresh``.
    public var startRequirement: FlagStartRequirement
    /// Whether calls that wait for values wait on after a failure that can pass, until their time is up: a fault of the
    /// network, a 429 or a 5xx.
    ///
    /// Default `false`: they return with the first failure, and the client tries again in the background.
    public var waitsOutFailures: Bool
    /// What the client does while the app is in the background.
    ///
    /// Default ``FlagBackgroundPolicy/automatic``.
    public var background: FlagBackgroundPolicy
    /// Whether the client asks for values when the app comes back from the background.
    ///
    /// Default ``FlagForegroundRefresh/always``.
    public var foregroundRefresh: FlagForegroundRefresh
    /// What the client does when the service refuses it.
    ///
    /// Default ``FlagRefusalPolicy/stop``.
    public var refusal: FlagRefusalPolicy
    /// How long the client waits after failures before it asks again.
    ///
    /// Default ``FlagRetryPolicy/init(longest:leastPart:)`` with its defaults.
    public var retry: FlagRetryPolicy
    /// Values that the app is built with, by flag key: in effect before others arrive, and for flags that the service
    /// does not name.
    ///
    /// Default none.
    public var bootstrap: [String: FlagValue]
    /// Which values reads take as which types, for code that counts on another rule than the usual one.
    ///
    /// Default `nil`: the usual rule, which loses nothing and guesses nothing.
    public var coercion: FlagCoercion?
    /// How often to ask while a stream is down or the service offers none, in seconds.
    ///
    /// Default 30; less than ``FlagSyncMode/shortestInterval`` counts as that.
    public var fallbackInterval: TimeInterval
    /// How long one request may take from start to end, in seconds; with ``fallbackEndpoints``, over all of them.
    ///
    /// Default 10, at least 0.1.
    public var requestTimeout: TimeInterval
    /// Headers that go with every request to the endpoints' own origins, and with reports.
    ///
    /// Where a header chooses whose flags are served, such as a tenant's, name it in ``storageName`` too: stored values
    /// are told apart by endpoint, key, flag sets and context only. Default none.
    public var headers: [String: String]
    /// Gives the headers of the moment, for tokens that expire.
    ///
    /// Called once for each request and stream, on any thread. It must return at once, with what it has: requests and
    /// timers of the client wait for it, and with them the call that made the request, beyond its time-out. What it
    /// gives takes the place of ``headers``, and of ``key`` where it gives an `Authorization`. A header that cannot be sent is
    /// left out, with one warning for its name. Default `nil`.
    public var headerProvider: (@Sendable () -> [String: String])?
    /// The flag sets to ask for: flags of other sets are neither sent nor known.
    ///
    /// Names are trimmed, the empty ones dropped, the rest sorted, each once; none may hold a comma. Of several sets with
    /// a flag of one key, the first by name counts. Sent as flagd's selector, which other services can pass over.
    /// Default empty: all flags.
    public var flagSets: [String]
    /// The session configuration to start from, for proxies and the like.
    ///
    /// It is copied; caching, cookies and time-outs are set by the client. Default `nil`: the system's
    /// default.
    public var sessionConfiguration: URLSessionConfiguration?
    /// Whether values are kept from one run of the app to the next.
    ///
    /// Default ``FlagCachePolicy/disk(contexts:age:)``: those of 10 contexts, for 30 days.
    public var cache: FlagCachePolicy
    /// Where values and undelivered reports are stored, if ``cache`` is on disk.
    ///
    /// Default `nil`: a folder of the client's own in Application Support, on Linux in `$XDG_STATE_HOME` or
    /// `~/.local/state`.
    public var storage: (any FlagStorage)?
    /// Tells apart what several clients of one app store that have the same endpoint and key.
    ///
    /// Clients with different endpoints or keys never share anything. Default `nil`.
    public var storageName: String?
    /// What is reported to the service about reads and events.
    ///
    /// Default ``FlagTelemetryPolicy/standard``.
    public var telemetry: FlagTelemetryPolicy
    /// The app's name and version, for reports.
    ///
    /// Default ``FlagAppInfo/main``.
    public var app: FlagAppInfo
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
        fallbackEndpoints = []
        environment = nil
        sync = .streaming
        contextSwitch = .keepUntilReplaced
        contextChangeDelay = 0
        startRequirement = .fresh
        waitsOutFailures = false
        background = .automatic
        foregroundRefresh = .always
        refusal = .stop
        retry = FlagRetryPolicy()
        bootstrap = [:]
        coercion = nil
        fallbackInterval = 30
        requestTimeout = 10
        headers = [:]
        headerProvider = nil
        flagSets = []
        sessionConfiguration = nil
        cache = .disk()
        storage = nil
        storageName = nil
        telemetry = .standard
        app = .main
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
