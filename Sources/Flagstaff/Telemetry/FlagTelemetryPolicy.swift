public import Foundation

/// What a client reports to its service about reads and events, how often, and what it keeps while it cannot.
///
/// Reports hold counts, never the values of flags. What they tell of contexts is ``contexts``.
/// <doc:TelemetryAndPrivacy> shows a whole report. Times are in seconds; where a number makes no sense (zero, negative,
/// no number) the default counts.
public struct FlagTelemetryPolicy: Sendable, Hashable {
    /// Whether anything is reported at all.
    ///
    /// Default `true`.
    public var isEnabled: Bool
    /// Whether reads are reported; if not, only what the app tracks is.
    ///
    /// Default `true`.
    public var countsReads: Bool
    /// How often counts are gathered and sent while the app is in the foreground.
    ///
    /// Nothing is sent when nothing was read or tracked. Default 60.
    public var flushInterval: TimeInterval
    /// After what time the first report is sent; `nil` for ``flushInterval``.
    ///
    /// Default `nil`.
    public var firstFlush: TimeInterval?
    /// How long one report may take to be delivered, connection included.
    ///
    /// On the way to the background and in ``FlagClient/close()`` it is at most 5. Default 15.
    public var timeout: TimeInterval
    /// What is told of contexts.
    ///
    /// Default ``FlagTelemetryContexts/shapes``.
    public var contexts: FlagTelemetryContexts
    /// The attributes of which nothing is ever reported: neither value nor type nor name.
    ///
    /// One inside another is written with dots (`user.email`); `targetingKey` is an attribute too. Default: none.
    public var privateAttributes: Set<String>
    /// Whether events carry the context's targeting key also where ``contexts`` is not
    /// ``FlagTelemetryContexts/examples``.
    ///
    /// Experiments need it. Default `false`.
    public var identifiesEvents: Bool
    /// How many reports are kept while they cannot be delivered; the oldest go first.
    ///
    /// Default 5.
    public var maxRetainedBatches: Int
    /// How many bytes the kept reports may have together.
    ///
    /// A report that is larger is sent once and not kept. Default 524,288.
    public var maxRetainedBytes: Int
    /// How old a kept report may get.
    ///
    /// Default 300.
    public var maxRetainedAge: TimeInterval
    /// How many different results of reads one report tells apart; further ones are counted together as dropped.
    ///
    /// Default 100,000.
    public var maxSummaries: Int
    /// How many events may wait before they are sent ahead of time.
    ///
    /// While they cannot be, up to twice as many wait; ``FlagClient/track(_:value:properties:)`` refuses what comes on
    /// top. Default 2,000.
    public var maxEvents: Int
    /// How many events are sent in one request.
    ///
    /// Default 500, at most 1,000.
    public var maxEventsPerBatch: Int
    /// Whether the last report, on the way to the background or in ``FlagClient/close()``, waits within its time for one
    /// that is being sent; if not, it stays on disk then, and is sent when the app is back or started again.
    ///
    /// Default `true`.
    public var awaitsReportInFlight: Bool
    /// Where reports are posted; `nil` for `/api/v1/telemetry` below the client's endpoint.
    ///
    /// The client's key and headers go there too, so `http` is refused where the endpoint is `https`. Default `nil`.
    public var url: URL?

    /// Makes the standard policy, to change.
    public init() {
        isEnabled = true
        countsReads = true
        flushInterval = 60
        firstFlush = nil
        timeout = 15
        contexts = .shapes
        privateAttributes = []
        identifiesEvents = false
        maxRetainedBatches = 5
        maxRetainedBytes = 524_288
        maxRetainedAge = 300
        maxSummaries = 100_000
        maxEvents = 2_000
        maxEventsPerBatch = 500
        awaitsReportInFlight = true
        url = nil
    }

    /// All defaults.
    public static let standard = FlagTelemetryPolicy()

    /// Nothing is counted and nothing is sent.
    public static let off: FlagTelemetryPolicy = {
        var policy = FlagTelemetryPolicy()
        policy.isEnabled = false
        return policy
    }()
}
