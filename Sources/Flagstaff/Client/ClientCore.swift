import FlagLocking
private import Foundation

/// The part of a client that its requests and timers know of: runs the life cycle and does what it says.
///
/// An event is handled inside the lock: the life cycle moves on, values are stored, watchers are told. What reaches
/// outside (requests, timers, the logger, waiting calls) is queued and done after the lock is released, by one
/// thread at a time, so it happens in the order in which it was decided: a request is never cut before it is sent.
///
/// ``FlagClient`` owns the core and closes it; whatever the core starts holds it weakly.
final class ClientCore: Sendable {
    /// The values that reads find.
    let cell = SnapshotCell()

    /// Reports reads and events; `nil` where the app wants none.
    let telemetry: TelemetryReporter?

    private struct State: Sendable {
        var machine: ClientMachine
        var hub = WatcherHub()
        var calls: [Waiter.ID: CheckedContinuation<FlagUpdateOutcome, Never>] = [:]
        var lastCall = 0
        var effects: [Effect] = []
        var isPerforming = false
    }

    private let state: Lock<State>
    private let effects: EffectPerformer
    private let time: any TimeSource

    init(
        service: ServiceAddress, configuration: FlagClientConfiguration, transport: any FlagTransport,
        time: any TimeSource, reads: any ReadCounting = UncountedReads(),
        telemetryQueue: (any TelemetryQueue)? = nil
    ) {
        let settings = ConnectionSettings(configuration)
        state = Lock(State(machine: ClientMachine(settings: settings, serviceOrigin: service.originText)))
        telemetry = TelemetryReporter(
            service: service, configuration: configuration, transport: transport, time: time, reads: reads,
            queue: telemetryQueue)
        effects = EffectPerformer(
            service: service, settings: settings, transport: transport, time: time,
            logger: configuration.logger, ownsTransport: telemetry == nil)
        self.time = time
    }

    /// What the client is doing.
    var status: FlagClientStatus { state.withLock { $0.machine.status } }

    /// The context in effect.
    var context: FlagContext { state.withLock { $0.machine.context } }

    // MARK: Calls

    /// `start` and `setContext`.
    func change(to context: FlagContext, timeout: Double) async -> FlagUpdateOutcome {
        await call(timeout: timeout) { .change(context, $0) }
    }

    /// `refresh`.
    func refresh(timeout: Double) async -> FlagUpdateOutcome {
        await call(timeout: timeout) { .refresh($0) }
    }

    /// `close`: returns when the last report is delivered or its time is up.
    func shutDown() async {
        handle(.close)
        await telemetry?.close()
    }

    /// The client is let go of: what is to be reported is stored, and nothing is sent.
    func close() {
        handle(.close)
        telemetry?.handle(.release)
    }

    private func call(timeout: Double, _ event: (Waiter) -> ClientEvent) async -> FlagUpdateOutcome {
        let id = state.withLock { state in
            state.lastCall += 1
            return state.lastCall
        }
        // Written so that a number that is none does not wait.
        let waiter = Waiter(id: id, timeout: timeout > 0 ? timeout : 0)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                handle(event(waiter)) { $0.calls[id] = continuation }
                // The handler below may have run before there was anything to take back.
                if Task.isCancelled { handle(.abandon(id)) }
            }
        } onCancel: {
            handle(.abandon(id))
        }
    }

    // MARK: Watching

    /// The snapshots in which the flag changed, the present one first.
    func watch(_ key: String) -> AsyncStream<FlagSnapshot> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id: Int? = state.withLock { state in
                continuation.yield(state.machine.snapshot)
                return state.machine.phase == .closed ? nil : state.hub.addWatcher(of: key, continuation)
            }
            guard let id else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.hub.removeWatcher(id, of: key) }
            }
        }
    }

    /// The events from now on, after those that tell a newcomer how things are.
    func listen() -> AsyncStream<FlagEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
            let id: Int? = state.withLock { state in
                if state.machine.wasReady { continuation.yield(FlagEvent(kind: .ready)) }
                if state.machine.phase != .closed { return state.hub.addListener(continuation) }
                continuation.yield(FlagEvent(kind: .closed))
                return nil
            }
            guard let id else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.hub.removeListener(id) }
            }
        }
    }

    /// How many sequences are being read, for tests.
    var watcherCount: Int { state.withLock { $0.hub.count } }

    // MARK: Events

    /// Takes an event.
    ///
    /// `prepare` runs inside the lock, before it.
    func handle(_ event: ClientEvent) {
        handle(event) { _ in }
    }

    private func handle(_ event: ClientEvent, prepare: (inout State) -> Void) {
        let isPerformer = state.withLock { state in
            prepare(&state)
            for action in state.machine.handle(event, at: time.now()) { carryOut(action, &state) }
            if state.isPerforming || state.effects.isEmpty { return false }
            state.isPerforming = true
            return true
        }
        if isPerformer { performEffects() }
        // Afterwards, so that flags are asked for before anything is reported.
        if case .change(let context, _) = event { telemetry?.handle(.contextSet(context)) }
    }

    /// The part of an action that belongs inside the lock; the rest is queued.
    private func carryOut(_ action: ClientAction, _ state: inout State) {
        switch action {
        case .store(let snapshot, let changedKeys):
            cell.store(snapshot)
            state.hub.yield(snapshot, changedKeys: changedKeys)
        case .emit(let event):
            state.hub.yield(event)
        case .complete(let id, let outcome):
            if let call = state.calls.removeValue(forKey: id) { state.effects.append(.resume(call, outcome)) }
        case .finish:
            state.effects.append(.finish(state.hub.removeAll()))
        case .fetch, .cancelFetch, .openStream, .closeStream, .schedule, .cancelTimer, .log:
            state.effects.append(.perform(action))
        }
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
                effects.perform(effect) { [weak self] event in self?.handle(event) }
            }
        }
    }
}
