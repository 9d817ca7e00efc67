/// The numbers of the life cycle.
///
/// All times are in seconds.
struct ConnectionSettings: Sendable {
    var sync = FlagSyncMode.streaming
    var contextSwitch = FlagContextSwitchPolicy.keepUntilReplaced
    /// How often to ask while there is no stream.
    var fallbackInterval = 30.0
    /// How long a fetch may take from start to end.
    var requestTimeout = 10.0
    /// The delay before attempt n + 1 is a random part of `retryBase` times 2 to the n, at most `retryCap`; at least
    /// `leastRetryPart` of it.
    var retryBase = 1.0
    var retryCap = 300.0
    var leastRetryPart = 0.0
    /// A stream that lived this long starts counting attempts anew.
    var stableStream = 10.0
    /// How long a stream of ours may be silent: three of the service's heartbeats.
    var evaluationsSilence = 45.0
    /// How long a stream of the standard may be silent, as it promises no heartbeat.
    var noticesSilence = 300.0
    /// How many streams are opened at most: each takes a connection that fetches cannot have.
    var mostStreams = 8
    /// A notice goes to all clients at once; they ask within this time, spread.
    var noticeSpread = 0.5
    /// How long to wait after a change of context for another one.
    var contextChangeDelay = 0.0
    /// Whether there is a cache to ask for stored values and to hand values to.
    var hasCache = false
    /// How long the first fetch of a context waits for stored values: a disk that hangs must not hold it back.
    var cacheLimit = 0.25
    var startRequirement = FlagStartRequirement.fresh
    /// Whether calls wait on after a failure that can pass.
    var waitsOutFailures = false
    var refusal = FlagRefusalPolicy.stop
    var pausesInBackground = false
    var foregroundRefresh = FlagForegroundRefresh.always
    /// The rule for types, where it is not the usual one.
    var coercion: FlagCoercion?
    /// What the app was built with.
    var bootstrap: [String: FlagValue] = [:]
    /// The longest wait that a `Retry-After` is granted.
    var retryAfterCap = 86400
}

extension ConnectionSettings {
    /// The settings that a configuration asks for, within their limits.
    init(_ configuration: FlagClientConfiguration) {
        self.init()
        sync = configuration.sync
        contextSwitch = configuration.contextSwitch
        // Written so that numbers that are none end at the floor.
        contextChangeDelay =
            configuration.contextChangeDelay > 0 ? min(configuration.contextChangeDelay, 60) : 0
        startRequirement = configuration.startRequirement
        waitsOutFailures = configuration.waitsOutFailures
        refusal = configuration.refusal
        // Written so that numbers that are none count as the defaults.
        retryCap = configuration.retry.longest >= 1 ? min(configuration.retry.longest, 86_400) : 300
        leastRetryPart = configuration.retry.leastPart > 0 ? min(configuration.retry.leastPart, 1) : 0
        pausesInBackground = configuration.background.pauses
        foregroundRefresh = configuration.foregroundRefresh
        coercion = configuration.coercion
        bootstrap = configuration.bootstrap
        fallbackInterval = FlagSyncMode.floored(configuration.fallbackInterval)
        // Written so that a number that is none ends at the floor.
        requestTimeout = configuration.requestTimeout > 0.1 ? min(configuration.requestTimeout, 3600) : 0.1
    }

    /// Whether a failure is one at which the policy for refusals decides what follows.
    func isRefusal(_ error: FlagClientError) -> Bool {
        error.isRefusal || refusal == .stopAtRejection && error.isRejection
    }

    /// How long a stream of that kind may be silent.
    func silence(of kind: StreamKind) -> Double {
        kind == .evaluations ? evaluationsSilence : noticesSilence
    }

    /// Exponential back-off with jitter: full where no least part is asked for.
    func backoff(attempt: Int, random: Double) -> Double {
        (leastRetryPart + (1 - leastRetryPart) * random)
            * min(retryCap, retryBase * Double(UInt64(1) << UInt64(min(max(attempt, 0), 40))))
    }

    /// An interval varied by a tenth to both sides.
    func jittered(_ interval: Double, random: Double) -> Double {
        interval * (0.9 + 0.2 * random)
    }
}
