import FlagModel

/// What was counted and tracked since the last report, told apart as the reports do.
struct TelemetryWindow: Sendable {
    /// What happened in one context, or in all contexts that look the same in the report.
    struct Group: Sendable {
        let context: TelemetryContext
        /// Counts by result; the count in the key is 0.
        var counts: [TelemetryBatch.Evaluation: UInt64] = [:]
        var events: [TelemetryBatch.Event] = []
    }

    /// When the window began, in seconds of a clock that is never set.
    let start: Double
    private(set) var groups: [Group] = []
    private(set) var summaryCount = 0
    private(set) var eventCount = 0
    /// How large the events are in their wire form.
    private(set) var eventBytes = 0
    private(set) var droppedReads: UInt64 = 0
    private(set) var droppedEvents: UInt64 = 0
    private var indexByForm: [TelemetryContext: Int] = [:]
    private var indexByContext: [Fingerprint: Int] = [:]
    /// The context that was looked up last: counts come context by context.
    private var last: (context: FlagContext, index: Int)?
    private var exampleCount = 0

    init(start: Double) {
        self.start = start
    }

    /// Whether there is nothing to report.
    var isEmpty: Bool { summaryCount == 0 && eventCount == 0 }

    /// Adds counts.
    mutating func add(
        _ reads: [CountedRead], _ settings: TelemetrySettings, _ sampler: inout ExampleSampler, now: Double
    ) {
        for read in reads where read.count > 0 {
            let index = index(of: read.context, settings, &sampler, now: now)
            let key = TelemetryBatch.Evaluation(
                flag: read.key, variant: read.variant, reason: read.reason.rawValue,
                errorCode: read.errorCode?.rawValue, valueID: read.valueID, isDefault: read.isDefault,
                requestedType: read.requestedType, version: read.version, count: 0)
            if let count = groups[index].counts[key] {
                groups[index].counts[key] = count.addingClamped(read.count)
            } else if summaryCount < settings.maximumSummaries, key.isAcceptable {
                groups[index].counts[key] = read.count
                summaryCount += 1
            } else {
                droppedReads = droppedReads.addingClamped(read.count)
            }
        }
    }

    /// Adds an event; `false` when too many wait already.
    mutating func add(
        _ event: TelemetryBatch.Event, in context: FlagContext, _ settings: TelemetrySettings,
        _ sampler: inout ExampleSampler, now: Double
    ) -> Bool {
        guard eventCount < 2 * settings.maximumEvents, eventBytes < 2 * settings.waitingEventBytes else {
            droppedEvents += 1
            return false
        }
        eventCount += 1
        eventBytes += JSONWriter.bytes(of: event.json).count
        groups[index(of: context, settings, &sampler, now: now)].events.append(event)
        return true
    }

    /// The group that a context belongs to.
    private mutating func index(
        of context: FlagContext, _ settings: TelemetrySettings, _ sampler: inout ExampleSampler, now: Double
    ) -> Int {
        if let last, last.context.isIdentical(to: context) { return last.index }
        let fingerprint = context.fingerprint
        if let index = indexByContext[fingerprint] {
            last = (context, index)
            return index
        }
        var form = TelemetryContext.none
        if groups.count < settings.maximumGroups {
            form = self.form(of: context, fingerprint, settings, &sampler, now: now)
        }
        let index = indexByForm[form] ?? groups.count
        if index == groups.count {
            groups.append(Group(context: form))
            indexByForm[form] = index
        }
        // A memory of look-ups alone, so it can be let go of.
        if indexByContext.count >= 10_000 { indexByContext = [:] }
        indexByContext[fingerprint] = index
        last = (context, index)
        return index
    }

    /// What is reported of a context.
    private mutating func form(
        of context: FlagContext, _ fingerprint: Fingerprint, _ settings: TelemetrySettings,
        _ sampler: inout ExampleSampler, now: Double
    ) -> TelemetryContext {
        guard settings.contexts == .shapes || settings.contexts == .examples else { return .none }
        let members = TelemetryContext.members(context.members, without: settings.privateAttributes)
        if settings.contexts == .examples, exampleCount < settings.examples,
            FlagValue.object(members).depth <= 8,
            JSONWriter.bytes(of: .object(members)).count <= settings.exampleBytes,
            sampler.take(fingerprint, now: now, interval: settings.exampleInterval)
        {
            exampleCount += 1
            return .example(members)
        }
        return .shape(TelemetryContext.shape(of: members))
    }
}

extension TelemetryBatch.Evaluation {
    /// Whether no text is longer than services accept: one that is would cost the whole batch.
    fileprivate var isAcceptable: Bool {
        let limit = TelemetryLimits().textBytes
        return [flag, variant, reason, errorCode, valueID, requestedType, version].allSatisfy {
            $0.map { $0.utf8.count <= limit } ?? true
        }
    }
}

/// Remembers which contexts were reported as examples, so that the same one is not in every report.
struct ExampleSampler: Sendable {
    private var times: [Fingerprint: Double] = [:]
    private let capacity = 1_000

    /// Whether it is this context's turn; then it is taken as reported.
    mutating func take(_ context: Fingerprint, now: Double, interval: Double) -> Bool {
        if let time = times[context], now - time < interval { return false }
        if times.count >= capacity { times = [:] }
        times[context] = now
        return true
    }
}

extension FlagContext {
    /// Whether this is plainly the same context: quick where both share their storage, as those of one snapshot do.
    fileprivate func isIdentical(to other: FlagContext) -> Bool {
        isAnonymous == other.isAnonymous && bucketingKey == other.bucketingKey
            && attributes == other.attributes
            && (targetingKey ?? "").utf8.elementsEqual((other.targetingKey ?? "").utf8)
            && (targetingKey == nil) == (other.targetingKey == nil)
    }
}

extension FlagValue {
    /// How deep the value nests: 0 for a plain one.
    var depth: Int {
        switch self {
        case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.values.map(\.depth).max() ?? 0)
        default: 0
        }
    }
}
