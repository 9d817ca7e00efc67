import FlagModel

/// A window that has ended, ready to be written.
struct TelemetryCut: Sendable {
    let window: TelemetryWindow
    /// When the window began and ended, in seconds since 1970 by the device's clock as it was at the end: the clock
    /// may have been set meanwhile, but the length is right.
    let start: Double
    let end: Double

    init(_ window: TelemetryWindow, at moment: Moment) {
        self.window = window
        end = moment.wall
        start = moment.wall - max(0, moment.uptime - window.start)
    }

    /// The window in its wire form, in as many batches as keep each of them to its size.
    ///
    /// - Parameters:
    ///   - settings: The sizes.
    ///   - makeID: Makes the id of a batch.
    /// - Returns: The batches in order. Equal windows with equal ids make equal bytes.
    func batches(_ settings: TelemetrySettings, makeID: () -> String) -> [OutgoingBatch] {
        var packer = TelemetryPacker(settings: settings)
        let groups = window.groups.map { group in
            (group: group, context: JSONWriter.bytes(of: group.context.json, options: .sortedKeys))
        }.sorted { $0.context.lexicographicallyPrecedes($1.context) }
        for (group, context) in groups {
            packer.begin(group.context, bytes: context.count)
            let evaluations = group.counts.map { key, count in
                var evaluation = key
                evaluation.count = count
                let bytes = JSONWriter.bytes(of: evaluation.json, options: .sortedKeys)
                return (evaluation: evaluation, size: bytes.count, order: key.flag.utf8 + [0] + bytes)
            }.sorted { $0.order.lexicographicallyPrecedes($1.order) }
            for part in evaluations { packer.add(part.evaluation, bytes: part.size) }
            for event in group.events { packer.add(event, bytes: JSONWriter.bytes(of: event.json).count) }
        }
        return packer.finish().enumerated().map { number, groups in
            let id = makeID()
            let batch = TelemetryBatch(
                id: id, sdk: settings.sdk, app: settings.app, start: start, end: end, groups: groups,
                droppedReads: number == 0 ? window.droppedReads : 0,
                droppedEvents: number == 0 ? window.droppedEvents : 0)
            return OutgoingBatch(id: id, bytes: batch.encoded, isStored: false)
        }
    }
}

/// Spreads the parts of a window over batches.
private struct TelemetryPacker {
    let settings: TelemetrySettings
    /// What a batch is apart from its groups, roughly.
    private static let frame = 400
    /// What a group is apart from its context and its parts.
    private static let groupFrame = 40
    /// What a service accepts at most, which is more than fits into a batch of the usual size.
    private static let maximumEvaluations = 10_000

    private var batches: [[TelemetryBatch.Group]] = []
    private var current: [TelemetryBatch.Group] = []
    private var size = frame
    private var eventCount = 0
    private var evaluationCount = 0
    private var context = TelemetryContext.none
    private var contextBytes = 0
    private var isGroupOpen = false

    init(settings: TelemetrySettings) {
        self.settings = settings
    }

    /// What follows belongs to this context.
    mutating func begin(_ context: TelemetryContext, bytes: Int) {
        self.context = context
        contextBytes = bytes
        isGroupOpen = false
    }

    mutating func add(_ evaluation: TelemetryBatch.Evaluation, bytes: Int) {
        if evaluationCount >= Self.maximumEvaluations { end() }
        makeRoom(bytes)
        evaluationCount += 1
        current[current.count - 1].evaluations.append(evaluation)
    }

    mutating func add(_ event: TelemetryBatch.Event, bytes: Int) {
        if eventCount >= settings.eventsPerBatch { end() }
        makeRoom(bytes)
        eventCount += 1
        current[current.count - 1].events.append(event)
    }

    mutating func finish() -> [[TelemetryBatch.Group]] {
        end()
        return batches
    }

    /// Sees to it that the last group is the one of the context and has room.
    private mutating func makeRoom(_ bytes: Int) {
        let needed = bytes + 1 + (isGroupOpen ? 0 : contextBytes + Self.groupFrame)
        if size + needed > settings.batchBytes { end() }
        if !isGroupOpen {
            current.append(TelemetryBatch.Group(context: context))
            size += contextBytes + Self.groupFrame
            isGroupOpen = true
        }
        size += bytes + 1
    }

    private mutating func end() {
        if !current.isEmpty { batches.append(current) }
        current = []
        size = Self.frame
        eventCount = 0
        evaluationCount = 0
        isGroupOpen = false
    }
}
