import FlagModel

/// The numbers of telemetry, within their limits.
///
/// Times are in seconds.
struct TelemetrySettings: Sendable {
    var countsReads = true
    var flushInterval = 60.0
    var firstFlush = 60.0
    /// How long one delivery may take.
    var timeout = 15.0
    var contexts = FlagTelemetryContexts.shapes
    var privateAttributes: Set<String> = []
    var identifiesEvents = false
    /// How many batches, of how many bytes together and how old, are kept while they cannot be delivered.
    var retainedBatches = 5
    var retainedBytes = 524_288
    var retainedAge = 300.0
    /// How many different results of reads a window holds.
    var maximumSummaries = 100_000
    /// How many events may wait before they are sent ahead of time; twice as many are the limit.
    var maximumEvents = 2_000
    var eventsPerBatch = 500
    /// Whether the last delivery waits for one that is under way.
    var awaitsReportInFlight = true
    /// Whether the app named the service for telemetry, so that its absence is a mistake.
    var isServiceNamed = false
    /// Whether the counter of reads tells of the first read after a drain, so that no timer has to look.
    var isToldOfReads = false
    var sdk = TelemetryBatch.Software.client
    var app = TelemetryBatch.Software(name: "", version: "")

    /// The shortest time between a failure and the next attempt.
    var failureFloor = 30.0
    /// The longest wait that a `Retry-After` is granted.
    var retryAfterCap = 600
    /// How long the last delivery, on the way to the background or in `close`, may take with all that belongs to it.
    var finalBudget = 5.0
    /// How large a batch gets before another is begun.
    var batchBytes = 131_072
    /// How many bytes of events may wait before they are sent ahead of time; twice as many are the limit.
    var waitingEventBytes = 524_288
    /// How many contexts of a window are reported as examples, and how often the same one at most.
    var examples = 20
    var exampleInterval = 3600.0
    /// How large an example may be; of a larger context the shape is reported.
    var exampleBytes = 8_192
    /// How many contexts, told apart as the reports do, a window holds; what is beyond is reported without a context.
    var maximumGroups = 1_000
    /// The shortest time between two windows that end because the context changed.
    var contextSpacing = 1.0
}

extension TelemetrySettings {
    /// The settings that a policy asks for: what makes no sense counts as the default.
    init(_ policy: FlagTelemetryPolicy, app: FlagAppInfo) {
        self.init()
        countsReads = policy.countsReads
        flushInterval = Self.sensible(policy.flushInterval, else: flushInterval)
        firstFlush = Self.sensible(policy.firstFlush ?? flushInterval, else: flushInterval)
        timeout = Self.sensible(policy.timeout, else: timeout)
        contexts = policy.contexts
        privateAttributes = policy.privateAttributes
        identifiesEvents = policy.identifiesEvents
        retainedBatches = Self.sensible(policy.maxRetainedBatches, else: retainedBatches)
        retainedBytes = Self.sensible(policy.maxRetainedBytes, else: retainedBytes)
        retainedAge = Self.sensible(policy.maxRetainedAge, else: retainedAge)
        maximumSummaries = Self.sensible(policy.maxSummaries, else: maximumSummaries)
        maximumEvents = min(Self.sensible(policy.maxEvents, else: maximumEvents), 1_000_000)
        eventsPerBatch = min(Self.sensible(policy.maxEventsPerBatch, else: eventsPerBatch), 1_000)
        awaitsReportInFlight = policy.awaitsReportInFlight
        isServiceNamed = policy.url != nil
        self.app = TelemetryBatch.Software(name: app.name.clipped, version: app.version.clipped)
    }

    /// Written so that a number that is none counts as the default; a year is as good as never.
    private static func sensible(_ number: Double, else standard: Double) -> Double {
        number > 0 ? min(number, 365 * 86400) : standard
    }

    private static func sensible(_ number: Int, else standard: Int) -> Int {
        number > 0 ? number : standard
    }
}

extension String {
    /// The text, short enough for a name in a report.
    fileprivate var clipped: String { String(decoding: utf8.prefix(256), as: UTF8.self) }
}

extension TelemetryBatch.Software {
    /// This library.
    static let client = TelemetryBatch.Software(name: "flagstaff-swift", version: "0.1.0")
}
