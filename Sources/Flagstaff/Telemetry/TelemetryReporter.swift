import FlagLocking
import FlagModel
import Foundation

/// The shell of telemetry: runs ``TelemetryMachine`` and does what it says.
///
/// An event is handled inside the lock. What is quick (timers, requests, the log, waiting calls) is done after the lock
/// is released, by one thread at a time, in order; what can block (draining, encoding, the queue) is done one after the
/// other on a queue of its own, so neither a read nor ``track(_:value:properties:)`` waits for a disk.
///
/// The client owns it; timers and requests hold it weakly.
final class TelemetryReporter: Sendable {
    private struct State: Sendable {
        var machine: TelemetryMachine
        var calls: [Waiter.ID: CheckedContinuation<Bool, Never>] = [:]
        var lastCall = 0
        var effects: [Effect] = []
        var isPerforming = false
        var timers: [TelemetryTimer: SetTimer] = [:]
        var activity: BackgroundActivity?
    }

    /// Something to do outside the lock.
    private enum Effect: Sendable {
        case perform(TelemetryAction)
        case resume(CheckedContinuation<Bool, Never>, Bool)
    }

    /// A timer that was set and has not fired.
    private struct SetTimer: Sendable {
        let token: Int
        var scheduled: (any ScheduledTimer)?
    }

    /// What a reporter works with.
    struct Parts: Sendable {
        var reads: any ReadCounting
        var queue: any TelemetryQueue
        var transport: any FlagTransport
        var time: any TimeSource
        var logger: any FlagLogger
        /// Makes the request for a batch; `nil` when the address is none.
        var request: @Sendable ([UInt8], Double) -> FlagTransportRequest?
        /// Runs what can block: one after the other, in order, off the cooperative pool.
        var runBlocking: @Sendable (@escaping @Sendable () -> Void) -> Void
        /// Makes the id of a batch.
        var makeID: @Sendable () -> String = { UUID().uuidString.lowercased() }
        /// Called once, when all is over.
        var finish: @Sendable () -> Void = {}
    }

    private let settings: TelemetrySettings
    private let parts: Parts
    private let state: Lock<State>

    init(settings: TelemetrySettings, parts: Parts) {
        var settings = settings
        let relay = ReadRelay()
        settings.isToldOfReads = parts.reads.notifyOfFirstRead { relay.report() }
        self.settings = settings
        self.parts = parts
        state = Lock(State(machine: TelemetryMachine(settings: settings, at: parts.time.now())))
        relay.connect(self)
    }

    // MARK: Events

    /// Takes an event.
    func handle(_ event: TelemetryEvent) {
        handle { $0.machine.handle(event, at: parts.time.now()) }
    }

    /// Takes an event of the app's; `false` when it will not be reported.
    func track(_ name: String, value: Double?, properties: [String: FlagValue]) -> Bool {
        let now = parts.time.now()
        guard var event = TelemetryBatch.Event(checking: name, value, properties, time: now.wall) else {
            if parts.logger.level <= .warning {
                parts.logger.log(
                    .warning, "an event is not reported: its name, value or properties are not acceptable")
            }
            return false
        }
        var isTaken = false
        handle { state in
            event.targetingKey = settings.targetingKey(of: state.machine.context)
            let (taken, actions) = state.machine.track(event, at: now)
            isTaken = taken
            return actions
        }
        return isTaken
    }

    /// Delivers all that there is; `false` when that did not succeed within the time.
    func flush(timeout: Double) async -> Bool {
        // Written so that a number that is none does not wait.
        let timeout = timeout > 0 ? timeout : 0
        return await call { .flush(Waiter(id: $0, timeout: timeout)) }
    }

    /// Stores what there is, sends it once within its bound, and ends.
    func close() async {
        _ = await call { .close($0) }
    }

    private func call(_ event: (Waiter.ID) -> TelemetryEvent) async -> Bool {
        let id = state.withLock { state in
            state.lastCall += 1
            return state.lastCall
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                handle { state in
                    state.calls[id] = continuation
                    return state.machine.handle(event(id), at: parts.time.now())
                }
                // The handler below may have run before there was anything to take back.
                if Task.isCancelled { handle(.abandon(id)) }
            }
        } onCancel: {
            handle(.abandon(id))
        }
    }

    /// How many timers are set, for tests.
    var timerCount: Int { state.withLock { $0.timers.count } }

    /// The stage of life, for tests.
    var phase: TelemetryMachine.Phase { state.withLock { $0.machine.phase } }

    private func handle(_ step: (inout State) -> [TelemetryAction]) {
        let isPerformer = state.withLock { state in
            for action in step(&state) {
                guard case .complete(let id, let result) = action else {
                    state.effects.append(.perform(action))
                    continue
                }
                if let call = state.calls.removeValue(forKey: id) {
                    state.effects.append(.resume(call, result))
                }
            }
            if state.isPerforming || state.effects.isEmpty { return false }
            state.isPerforming = true
            return true
        }
        if isPerformer { performEffects() }
    }

    /// Does what is queued until nothing is.
    ///
    /// Only the thread that set `isPerforming` is here.
    private func performEffects() {
        while true {
            let batch: [Effect] = state.withLock { state in
                defer { state.effects = [] }
                if state.effects.isEmpty { state.isPerforming = false }
                return state.effects
            }
            if batch.isEmpty { return }
            for effect in batch {
                switch effect {
                case .resume(let call, let result): call.resume(returning: result)
                case .perform(let action): perform(action)
                }
            }
        }
    }

    // MARK: Effects

    private func perform(_ action: TelemetryAction) {
        switch action {
        case .collect, .stopCounting, .write, .load, .remove, .removeAll:
            // Held strongly: work that was begun is brought to its end, and there is an end.
            parts.runBlocking { self.performBlocking(action) }
        case .send(let number, let batch, let timeout):
            send(batch, number, timeout)
        case .cancelSend(let number):
            parts.transport.cancel(-number)
        case .schedule(let timer, let token, let delay):
            set(timer, token, delay)
        case .cancelTimer(let timer):
            state.withLock { $0.timers.removeValue(forKey: timer) }?.scheduled?.cancel()
        case .log(let level, let message):
            if level >= parts.logger.level { parts.logger.log(level, message) }
        case .beginActivity:
            let activity = BackgroundActivity()
            let former = state.withLock { state in
                defer { state.activity = activity }
                return state.activity
            }
            former?.end()
        case .endActivity:
            let activity = state.withLock { state in
                defer { state.activity = nil }
                return state.activity
            }
            activity?.end()
        case .finish:
            parts.finish()
        case .complete:
            break
        }
    }

    private func performBlocking(_ action: TelemetryAction) {
        switch action {
        case .collect:
            handle(.collected(parts.reads.drain()))
        case .stopCounting:
            parts.reads.stopCounting()
        case .write(let cut):
            let batches = cut.batches(settings, makeID: parts.makeID)
            handle(.written(parts.queue.keep(batches, within: settings)))
        case .load:
            let batch = parts.queue.oldest()
            handle(.loaded(batch.map { OutgoingBatch(id: $0.id, bytes: $0.bytes, isStored: true) }))
        case .remove(let id):
            parts.queue.remove(id: id)
        case .removeAll:
            parts.queue.removeAll()
        default:
            break
        }
    }

    /// The client's own requests have positive numbers, so these have negative ones.
    private func send(_ batch: OutgoingBatch, _ number: Int, _ timeout: Double) {
        guard let request = parts.request(batch.bytes, timeout) else {
            return handle(.answered(number, .failed("the address for telemetry is no valid one")))
        }
        parts.transport.send(request, id: -number) { [weak self] result in
            self?.handle(.answered(number, TelemetryAnswer(result)))
        }
    }

    private func set(_ timer: TelemetryTimer, _ token: Int, _ delay: Double) {
        // Entered before it is set, as it can fire at once; then it finds its entry to remove.
        let former = state.withLock { $0.timers.updateValue(SetTimer(token: token), forKey: timer) }
        former?.scheduled?.cancel()
        let scheduled = parts.time.schedule(after: delay) { [weak self] in
            guard let self else { return }
            state.withLock { state in
                if state.timers[timer]?.token == token { state.timers[timer] = nil }
            }
            handle(.timer(timer, token: token))
        }
        state.withLock { state in
            if state.timers[timer]?.token == token { state.timers[timer]?.scheduled = scheduled }
        }
    }
}

/// Tells a reporter of reads without keeping it alive: the counter lives as long as anyone reads.
private final class ReadRelay: Sendable {
    private struct Target: Sendable {
        weak var reporter: TelemetryReporter?
        /// Whether there were reads before there was a reporter to tell.
        var hasMissed = false
    }

    private let target = Lock(Target())

    func connect(_ reporter: TelemetryReporter) {
        let hasMissed = target.withLock { target in
            target.reporter = reporter
            return target.hasMissed
        }
        if hasMissed { reporter.handle(.readsWaiting) }
    }

    func report() {
        let reporter = target.withLock { target in
            if target.reporter == nil { target.hasMissed = true }
            return target.reporter
        }
        reporter?.handle(.readsWaiting)
    }
}
