import FlagModel

/// The life cycle of telemetry as a pure state machine: an event and a moment in, actions out.
///
/// A window collects until the next tick, and ends early when the context changes, the app goes to the background, asks
/// for it or closes the client. A window that has ended is written once and stored before it is sent; the stored bytes
/// are what is sent, oldest first and one at a time, and they are deleted only when the service has them.
///
/// What it starts is answered in order (`collect`, `write`, `load`) or has a number that is never used again (`send`,
/// timers).
struct TelemetryMachine: Sendable {
    /// The stage of life.
    enum Phase: Hashable, Sendable {
        /// Before the client's start: counting, but sending nothing.
        case idle
        /// At work.
        case active
        /// The service wants no reports: nothing more in this client's life.
        case stopped
        /// On the last delivery.
        case closing
        /// Over for good.
        case closed
    }

    /// Why a window is ended.
    enum Occasion: Hashable, Sendable {
        case tick
        case context
        case full
        case flush(Waiter.ID)
        case background
        case close
        case release
    }

    /// A delivery that was sent.
    struct Delivery: Hashable, Sendable {
        let number: Int
        let batch: OutgoingBatch
    }

    /// An awaited flush.
    struct PendingFlush: Hashable, Sendable {
        let id: Waiter.ID
        /// Whether what was there at the call is stored or sent.
        var isWritten = false
        /// Whether a batch was lost meanwhile.
        var hasLoss = false
    }

    /// The last delivery before the app is suspended or the client is closed.
    struct Final: Hashable, Sendable {
        let occasion: Occasion
        let deadline: Double
        /// What is to be sent.
        var batches: [OutgoingBatch] = []
    }

    let settings: TelemetrySettings
    var phase = Phase.idle
    var isForeground = true
    /// The context that events belong to.
    var context = FlagContext()
    var window: TelemetryWindow
    var sampler = ExampleSampler()
    /// Why the counts are being drained, the oldest question first.
    var collecting: [Occasion] = []
    /// Why windows are being written, the oldest first.
    var writing: [Occasion] = []
    var isLoading = false
    /// Batches that could not be stored, and are sent once.
    var unstored: [OutgoingBatch] = []
    var delivery: Delivery?
    /// The stored batch that was dealt with last, and has to be gone from the queue.
    var settledID: String?
    /// Before this time nothing is sent.
    var holdUntil = 0.0
    var lastCut = -Double.infinity
    /// Whether there was a first tick.
    var hasTicked = false
    /// Whether reads were counted of which nothing is drained yet.
    var hasReads = false
    /// Whether the last delivery failed, so that the next failure is no news.
    var isFailing = false
    var flushes: [PendingFlush] = []
    var closers: [Waiter.ID] = []
    var final: Final?
    var timers: [TelemetryTimer: Int] = [:]
    var now: Moment
    private var lastNumber = 0
    private var actions: [TelemetryAction] = []

    /// Makes the life cycle of a new client.
    init(settings: TelemetrySettings, at moment: Moment) {
        self.settings = settings
        now = moment
        window = TelemetryWindow(start: moment.uptime)
    }

    /// Takes an event and returns what is to be done about it, in order.
    mutating func handle(_ event: TelemetryEvent, at moment: Moment) -> [TelemetryAction] {
        now = moment
        switch event {
        case .contextSet(let context): setContext(context)
        case .readsWaiting:
            hasReads = true
            arm()
        case .background: enterBackground()
        case .foreground: enterForeground()
        case .flush(let waiter): flush(waiter)
        case .abandon(let id): endFlushes(false) { $0.id == id }
        case .close(let id): close(id)
        case .release: release()
        case .collected(let reads): collected(reads)
        case .written(let batches): written(batches)
        case .loaded(let batch): loaded(batch)
        case .answered(let number, let answer): answered(number, answer)
        case .timer(let timer, let token): fired(timer, token)
        }
        return takeActions()
    }

    /// Takes an event of the app's, unless too many are waiting or nothing is reported any more.
    ///
    /// - Returns: Whether it will be reported, and what is to be done.
    mutating func track(
        _ event: TelemetryBatch.Event, at moment: Moment
    ) -> (isTaken: Bool, actions: [TelemetryAction]) {
        now = moment
        guard phase == .idle || phase == .active else { return (false, []) }
        guard window.add(event, in: context, settings, &sampler, now: now.uptime) else {
            if window.droppedEvents == 1 {
                act(.log(.warning, "events are tracked faster than they can be sent: some are not reported"))
            }
            return (false, takeActions())
        }
        arm()
        let isFull =
            window.eventCount >= settings.maximumEvents || window.eventBytes >= settings.waitingEventBytes
        if isFull, phase == .active, !collecting.contains(.full), !writing.contains(.full) { begin(.full) }
        return (true, takeActions())
    }

    // MARK: Building blocks

    private mutating func takeActions() -> [TelemetryAction] {
        defer { actions = [] }
        return actions
    }

    /// Adds an action.
    mutating func act(_ action: TelemetryAction) {
        actions.append(action)
    }

    /// A number for something new.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Sets a timer, in place of an earlier setting.
    mutating func schedule(_ timer: TelemetryTimer, after delay: Double) {
        let token = nextNumber()
        timers[timer] = token
        act(.schedule(timer, token: token, after: max(0, delay)))
    }

    /// Takes a timer back, if it is set.
    mutating func cancel(_ timer: TelemetryTimer) {
        if timers.removeValue(forKey: timer) != nil { act(.cancelTimer(timer)) }
    }

    private mutating func fired(_ timer: TelemetryTimer, _ token: Int) {
        guard timers[timer] == token else { return }
        timers[timer] = nil
        switch timer {
        case .tick: tick()
        case .deadline: overdue()
        case .budget: endFinal()
        case .waiter(let id): endFlushes(false) { $0.id == id }
        }
    }
}
