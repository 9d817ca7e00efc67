import FlagLocking
import FlagModel
import Testing

@testable import Flagstaff

/// The life cycle of telemetry with a clock in the hand of the test, a queue in memory, and reads that the test makes:
/// what the shell does at once, it does at once.
final class TelemetryHarness {
    /// A delivery that waits for its answer.
    struct Sent {
        let number: Int
        let batch: OutgoingBatch
        let timeout: Double
        let time: Double
    }

    var machine: TelemetryMachine
    let settings: TelemetrySettings
    let queue: MemoryTelemetryQueue
    private let clock: Lock<Double>
    var wall = 1_800_000_000.0
    /// What the next drain gives.
    var reads: [CountedRead] = []
    /// Whether blocking work stays undone until ``work()``.
    var isStuck = false
    private var undone: [TelemetryAction] = []
    private var isWorking = false

    private(set) var isCounting = true
    private(set) var drains = 0
    /// All deliveries, in order.
    private(set) var sent: [Sent] = []
    /// The deliveries that are neither answered nor cut.
    private(set) var open: [Int: OutgoingBatch] = [:]
    private(set) var results: [Int: Bool] = [:]
    private(set) var timers: [TelemetryTimer: (token: Int, due: Double)] = [:]
    private(set) var logs: [(level: FlagLogLevel, message: String)] = []
    private(set) var activities = 0
    private(set) var activity = false
    private(set) var isFinished = false
    private var lastID = 0
    private var lastCall = 0

    init(queue: MemoryTelemetryQueue? = nil, change: (inout TelemetrySettings) -> Void = { _ in }) {
        var settings = TelemetrySettings()
        change(&settings)
        self.settings = settings
        let clock = Lock(1000.0)
        self.clock = clock
        self.queue =
            queue
            ?? MemoryTelemetryQueue(
                maximumBatches: settings.retainedBatches, maximumBytes: settings.retainedBytes,
                maximumAge: settings.retainedAge, now: { clock.withLock { $0 } })
        machine = TelemetryMachine(
            settings: settings, at: Moment(uptime: 1000, wall: 1_800_000_000, random: 0.5))
    }

    var uptime: Double {
        get { clock.withLock { $0 } }
        set { clock.withLock { $0 = newValue } }
    }

    var moment: Moment { Moment(uptime: uptime, wall: wall, random: 0.5) }

    /// Hands an event over and does what it asks for.
    func send(_ event: TelemetryEvent) {
        perform(machine.handle(event, at: moment))
    }

    private func perform(_ actions: [TelemetryAction]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: TelemetryAction) {
        switch action {
        case .collect, .stopCounting, .write, .load, .remove, .removeAll:
            undone.append(action)
            if !isStuck { work() }
        case .send(let number, let batch, let timeout):
            #expect(open.isEmpty, "one delivery at a time")
            open[number] = batch
            sent.append(Sent(number: number, batch: batch, timeout: timeout, time: uptime))
        case .cancelSend(let number): open[number] = nil
        case .schedule(let timer, let token, let delay): timers[timer] = (token, uptime + delay)
        case .cancelTimer(let timer): timers[timer] = nil
        case .complete(let id, let result):
            #expect(results[id] == nil, "a call returns once")
            results[id] = result
        case .beginActivity:
            activities += 1
            activity = true
        case .endActivity: activity = false
        case .log(let level, let message): logs.append((level, message))
        case .finish: isFinished = true
        }
    }

    private func block(_ action: TelemetryAction) {
        switch action {
        case .collect:
            drains += 1
            let drained = reads
            reads = []
            send(.collected(drained))
        case .write(let cut):
            let batches = cut.batches(settings) {
                lastID += 1
                return Self.id(lastID)
            }
            send(.written(queue.keep(batches, within: settings)))
        case .stopCounting: isCounting = false
        case .load:
            let batch = queue.oldest()
            send(.loaded(batch.map { OutgoingBatch(id: $0.id, bytes: $0.bytes, isStored: true) }))
        case .remove(let id): queue.remove(id: id)
        case .removeAll: queue.removeAll()
        default: break
        }
    }

    /// Does the blocking work that was left undone: one after the other, in order, as the shell's queue does.
    func work() {
        isStuck = false
        guard !isWorking else { return }
        isWorking = true
        while !undone.isEmpty { block(undone.removeFirst()) }
        isWorking = false
    }

    static func id(_ number: Int) -> String {
        let digits = String(number)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    // MARK: The app

    func start(_ key: String = "user", attributes: [String: FlagValue] = ["plan": "pro"]) {
        send(.contextSet(FlagContext(key: key, attributes: attributes)))
    }

    /// Counts reads.
    func read(
        _ flag: String = "a", times: UInt64 = 1, context: FlagContext = FlagContext(key: "user"),
        version: String? = nil
    ) {
        reads.append(
            CountedRead(
                key: flag, variant: "on", reason: .static, isDefault: false, version: version,
                context: context, count: times))
    }

    @discardableResult
    func track(_ name: String = "e", properties: [String: FlagValue] = [:]) -> Bool {
        let event = TelemetryBatch.Event(name: name, properties: properties, time: wall)
        let (isTaken, actions) = machine.track(event, at: moment)
        perform(actions)
        return isTaken
    }

    @discardableResult
    func flush(timeout: Double = 5) -> Int {
        lastCall += 1
        send(.flush(Waiter(id: lastCall, timeout: timeout)))
        return lastCall
    }

    @discardableResult
    func close() -> Int {
        lastCall += 1
        send(.close(lastCall))
        return lastCall
    }

    // MARK: The service

    /// Answers the delivery in flight.
    func answer(_ status: Int, retryAfter: String? = nil) {
        answer(.status(status, retryAfter: retryAfter.flatMap(RetryAfter.init(_:))))
    }

    func answer(_ answer: TelemetryAnswer) {
        guard let number = open.keys.first else {
            Issue.record("nothing is in flight")
            return
        }
        open[number] = nil
        send(.answered(number, answer))
    }

    /// The batches that were sent, read.
    var batches: [TelemetryBatch] { sent.compactMap { try? TelemetryBatch.decode($0.batch.bytes) } }

    // MARK: Time

    /// Lets time pass, firing what is due, in order.
    func advance(by seconds: Double) {
        let end = uptime + seconds
        while let (timer, setting) = timers.min(by: {
            ($0.value.due, $0.value.token) < ($1.value.due, $1.value.token)
        }),
            setting.due <= end
        {
            wall += max(0, setting.due - uptime)
            uptime = max(uptime, setting.due)
            timers[timer] = nil
            send(.timer(timer, token: setting.token))
        }
        wall += end - uptime
        uptime = end
    }

    func messages(_ level: FlagLogLevel) -> [String] { logs.filter { $0.level == level }.map(\.message) }
}
