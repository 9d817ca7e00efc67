public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What can be chosen when a client is made; times are in seconds, and a number that makes no sense counts as the default.
public struct Configuration: Sendable {
    /// The domain that stands for the deployed address: `quonfig.com`.
    static let defaultDomain = "quonfig.com"

    /// The frontend SDK key, a client key of the flag service.
    public var sdkKey: String
    /// The service's host, reached over https; a port may follow it.
    ///
    /// The default counts as not named: then the environment variable `FLAGSTAFF_ENDPOINT` names the service, else the key
    /// `FlagstaffEndpoint` of the app's Info.plist, else it is `http://127.0.0.1:8080`.
    public var domain: String
    /// The service's addresses, in the order in which they stand in for each other; they win over ``domain``.
    public var apiURLs: [URL]?
    /// Where reports are posted, below `/api/v1/telemetry` of this address; it wins over the service's.
    public var telemetryURL: URL?
    /// How often to ask for values in the foreground; 0 for never, less than 5 counts as 5.
    public var pollInterval: TimeInterval
    /// Whether reads are counted and reported.
    public var collectEvaluationSummaries: Bool
    /// What reports tell of contexts.
    public var collectContextMode: CollectContextMode
    /// The session configuration to start from, for proxies and the like; it is copied.
    public var sessionConfiguration: URLSessionConfiguration?
    /// How long one request may take; `nil` for 10.
    public var requestTimeout: TimeInterval?
    /// How long one request may take in all; with ``requestTimeout``, the shorter counts.
    public var resourceTimeout: TimeInterval?
    /// How often counts are reported.
    public var telemetryFlushInterval: TimeInterval
    /// How long one report may take to be delivered, connection included.
    public var telemetryTimeout: TimeInterval
    /// How many reports are kept while they cannot be delivered; the oldest go first.
    public var telemetryMaxRetainedBatches: Int
    /// How many bytes kept reports may have together.
    public var telemetryMaxRetainedBytes: Int
    /// How old a kept report may get.
    public var telemetryMaxRetainedAge: TimeInterval
    /// How many different results of reads one report tells apart.
    public var telemetryMaxEvaluationSummaries: Int
    /// Where the client says what fails; `nil` for the system log, subsystem `com.quonfig.sdk`, category `Telemetry`, and on
    /// Linux standard error.
    public var logSink: (any QuonfigLogSink)?
    /// Gives the headers of the moment, for each request and report: on any thread, and at once.
    public var customHeaders: @Sendable () -> [String: String]

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - sdkKey: The frontend SDK key.
    ///   - domain: The service's host.
    ///   - apiURLs: The service's addresses.
    ///   - telemetryURL: Where reports go.
    ///   - pollInterval: How often to ask for values.
    ///   - collectEvaluationSummaries: Whether reads are counted and reported.
    ///   - collectContextMode: What reports tell of contexts.
    ///   - sessionConfiguration: The session configuration to start from.
    ///   - requestTimeout: How long one request may take.
    ///   - resourceTimeout: How long one request may take in all.
    ///   - telemetryFlushInterval: How often counts are reported.
    ///   - telemetryTimeout: How long one report may take.
    ///   - telemetryMaxRetainedBatches: How many reports are kept.
    ///   - telemetryMaxRetainedBytes: How many bytes kept reports may have.
    ///   - telemetryMaxRetainedAge: How old a kept report may get.
    ///   - telemetryMaxEvaluationSummaries: How many results of reads one report tells apart.
    ///   - logSink: Where the client says what fails.
    ///   - customHeaders: Gives the headers of the moment.
    public init(
        sdkKey: String,
        domain: String = "quonfig.com",
        apiURLs: [URL]? = nil,
        telemetryURL: URL? = nil,
        pollInterval: TimeInterval = 60,
        collectEvaluationSummaries: Bool = true,
        collectContextMode: CollectContextMode = .periodicExample,
        sessionConfiguration: URLSessionConfiguration? = nil,
        requestTimeout: TimeInterval? = nil,
        resourceTimeout: TimeInterval? = nil,
        telemetryFlushInterval: TimeInterval = 60,
        telemetryTimeout: TimeInterval = 15,
        telemetryMaxRetainedBatches: Int = 5,
        telemetryMaxRetainedBytes: Int = 524_288,
        telemetryMaxRetainedAge: TimeInterval = 300,
        telemetryMaxEvaluationSummaries: Int = 100_000,
        logSink: (any QuonfigLogSink)? = nil,
        customHeaders: @escaping @Sendable () -> [String: String] = { [:] }
    ) {
        self.sdkKey = sdkKey
        self.domain = domain
        self.apiURLs = apiURLs
        self.telemetryURL = telemetryURL
        self.pollInterval = pollInterval
        self.collectEvaluationSummaries = collectEvaluationSummaries
        self.collectContextMode = collectContextMode
        self.sessionConfiguration = sessionConfiguration
        self.requestTimeout = requestTimeout
        self.resourceTimeout = resourceTimeout
        self.telemetryFlushInterval = telemetryFlushInterval
        self.telemetryTimeout = telemetryTimeout
        self.telemetryMaxRetainedBatches = telemetryMaxRetainedBatches
        self.telemetryMaxRetainedBytes = telemetryMaxRetainedBytes
        self.telemetryMaxRetainedAge = telemetryMaxRetainedAge
        self.telemetryMaxEvaluationSummaries = telemetryMaxEvaluationSummaries
        self.logSink = logSink
        self.customHeaders = customHeaders
    }
}
