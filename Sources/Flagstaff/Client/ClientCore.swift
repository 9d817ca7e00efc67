import FlagLocking
private import Foundation

/// The part of a client that its requests and timers know of: runs the life cycle and does what it says.
///
/// An event is handled inside the lock: the life cycle moves on, values are stored, watchers are told. What reaches
/// outside (requests, timers, the logger, waiting calls) is queued and done after the lock is released, by one
/// thread at a time, so it happens in the order in which it was decided: a request is never cut before it is sent.
///
/// ``FlagClient`` owns the core and closes it; whatever the core starts holds it weakly.
package final class ClientCore: Sendable {
    /// The values that reads find, and the counts of the reads.
    let reads = ReadTable()

    /// Reports reads and events; `nil` where the app wants none.
    let telemetry: TelemetryReporter?
    /// Where values are stored; `nil` for nowhere.
    private let cache: (any SnapshotKeeping)?

    struct State: Sendable {
        var machine: ClientMachine
        var hub = WatcherHub()
        var calls: [Waiter.ID: CheckedContinuation<FlagUpdateOutcome, Never>] = [:]
        /// What the waiting calls are for.
        var purposes: [Waiter.ID: RequestPurpose] = [:]
        var lastCall = 0
        var effects: [Effect] = []
        var isPerforming = false
        /// How many want effects to be queued and not performed.
        var deferrals = 0
        /// Whether the app is out of sight.
        var isInBackground = false
        /// Whether reports were told to rest.
        var restsReports = false
    }

    let state: Lock<State>
    private let effects: EffectPerformer
    private let time: any TimeSource
    /// Hears of the app's going to the background and coming back; goes with the client.
    private let lifecycle: Lock<LifecycleObserver?> = Lock(nil)

    init(
        service: ServiceAddress, configuration: FlagClientConfiguration, transport: any FlagTransport,
        time: any TimeSource, cache: (any SnapshotKeeping)? = nil,
        reads counting: (any ReadCounting)? = UncountedReads(), telemetryQueue: (any TelemetryQueue)? = nil
    ) {
        var settings = ConnectionSettings(configuration)
        settings.hasCache = cache != nil
        let machine = ClientMachine(settings: settings, serviceOrigin: service.originText)
        state = Lock(State(machine: machine))
        self.cache = cache
        telemetry = TelemetryReporter(
            service: service, configuration: configuration, transport: transport, time: time,
            reads: counting ?? reads, queue: telemetryQueue)
        if telemetry == nil { reads.stopCounting() }
        effects = EffectPerformer(
            service: service, settings: settings, transport: transport, time: time, cache: cache,
            logger: configuration.logger, ownsTransport: telemetry == nil)
        self.time = time
        if !settings.bootstrap.isEmpty { reads.store(machine.visible) }
    }

    /// Follows the app to the background and back.
    func observeLifecycle() {
        let observer = LifecycleObserver { [weak self] notice in
            self?.receive(notice)
        }
        lifecycle.withLock { $0 = observer }
    }

    /// Follows the app's life.
    func receive(_ notice: LifecycleObserver.Notice) {
        handle(notice == .background ? .background : .foreground)
    }

    /// What the client is doing.
    var status: FlagClientStatus { state.withLock { $0.machine.status } }

    /// The context in effect.
    var context: FlagContext { state.withLock { $0.machine.context } }

    // MARK: Calls

    /// `start` and `setContext`.
    func change(
        to context: FlagContext, timeout: Double, purpose: RequestPurpose = .contextChange
    ) async -> FlagUpdateOutcome {
        await call(timeout: timeout, purpose) { .change(context, $0) }
    }

    /// `startInBackground` and `setContextInBackground`.
    func changeUnawaited(to context: FlagContext, purpose: RequestPurpose) {
        // It waits without end and without anybody, so that its purpose stays known until it is over.
        handle { state in
            state.lastCall += 1
            state.purposes[state.lastCall] = purpose
            return .change(context, Waiter(id: state.lastCall, timeout: .infinity))
        }
    }

    /// `waitUntilReady` and `waitUntilFresh`.
    func waitForValues(timeout: Double, takesCached: Bool) async -> FlagUpdateOutcome {
        await call(timeout: timeout) { .awaitValues($0, takesCached: takesCached) }
    }

    /// `reconnect`.
    func reconnect(for context: FlagContext, timeout: Double) async -> FlagUpdateOutcome {
        await call(timeout: timeout, .contextChange) { .reconnect(context, $0) }
    }

    /// `refresh`.
    func refresh(timeout: Double) async -> FlagUpdateOutcome {
        await call(timeout: timeout) { .refresh($0) }
    }

    /// `discardValues`.
    func discardValues() {
        handle(.discard)
    }

    /// `pause`.
    func pause() {
        handle(.pause(.app))
    }

    /// `resume`.
    func resume(timeout: Double) async -> FlagUpdateOutcome {
        await call(timeout: timeout) { .resume($0) }
    }

    /// The values that win over all others.
    var overrides: [String: FlagValue] { state.withLock { $0.machine.overrides } }

    /// Changes the values that win over all others.
    func changeOverrides(_ change: (inout [String: FlagValue]) -> Void) {
        handle { state in
            var overrides = state.machine.overrides
            change(&overrides)
            return .override(overrides)
        }
    }

    /// Whether there is something to store or to report when all else has ended.
    var hasRest: Bool { telemetry != nil || cache != nil }

    /// How long `close` waits for values to be stored, in seconds: a disk can hang.
    static let storingLimit = 5.0

    /// `close`: returns when values are stored and the last report is delivered, or its time is up.
    func shutDown() async {
        end()
        async let stored: Void = storeValues()
        await telemetry?.close()
        await stored
    }

    private func storeValues() async {
        guard cache != nil else { return }
        await withCheckedContinuation { continuation in
            let waiting = Lock<CheckedContinuation<Void, Never>?>(continuation)
            let goOn: @Sendable () -> Void = {
                let continuation = waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                continuation?.resume()
            }
            let limit = time.schedule(after: Self.storingLimit, goOn)
            // In line with what is still to be done: values that can be read may be about to be stored.
            let isPerformer = state.withLock { state in
                state.effects.append(
                    .flushCache {
                        limit.cancel()
                        goOn()
                    })
                return state.beginPerforming()
            }
            if isPerformer { performEffects() }
        }
    }

    /// The client is let go of: what is to be reported is stored, and nothing is sent.
    func close() {
        end()
        telemetry?.handle(.release)
    }

    /// Ends all work but that of storing and reporting.
    func end() {
        let observer = lifecycle.withLock { observer in
            defer { observer = nil }
            return observer
        }
        withExtendedLifetime(observer) {}
        handle(.close)
        reads.finishListening()
    }

    private func call(
        timeout: Double, _ purpose: RequestPurpose = .refresh, _ event: (Waiter) -> ClientEvent
    ) async -> FlagUpdateOutcome {
        let id = state.withLock { state in
            state.lastCall += 1
            return state.lastCall
        }
        // Written so that a number that is none does not wait.
        let waiter = Waiter(id: id, timeout: timeout > 0 ? timeout : 0)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                handle(event(waiter)) { state in
                    state.calls[id] = continuation
                    state.purposes[id] = purpose
                }
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
                continuation.yield(state.machine.visible)
                if state.machine.phase == .closed { return nil }
                return state.hub.addWatcher(of: key, .stream(continuation))
            }
            guard let id else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.hub.removeWatcher(id, of: key) }
            }
        }
    }

    /// The events from now on, after those that tell a newcomer how things are.
    func listen() -> AsyncStream<FlagEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(WatcherHub.eventLimit)) { continuation in
            let id: Int? = state.withLock { state in
                for event in state.machine.greeting { continuation.yield(event) }
                return state.machine.phase == .closed ? nil : state.hub.addListener(.stream(continuation))
            }
            guard let id else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.hub.removeListener(id) }
            }
        }
    }

    /// How many sequences are being read and callbacks registered, for tests.
    var watcherCount: Int { state.withLock { $0.hub.count } }

    // MARK: Events

    /// Takes an event.
    ///
    /// `prepare` runs inside the lock, before it.
    func handle(_ event: ClientEvent) {
        handle(event) { _ in }
    }

    private func handle(_ event: ClientEvent, prepare: (inout State) -> Void) {
        handle { state in
            prepare(&state)
            return event
        }
    }

    /// Takes the event that the closure makes inside the lock.
    private func handle(_ event: (inout State) -> ClientEvent) {
        let isPerformer = state.withLock { state in
            let event = event(&state)
            let count = state.effects.count
            for action in state.machine.handle(event, at: time.now()) { carryOut(action, &state) }
            tellAfterwards(from: count, &state)
            tellTelemetry(of: event, after: count, &state)
            return state.beginPerforming()
        }
        if isPerformer { performEffects() }
    }

    /// The part of an action that belongs inside the lock; the rest is queued.
    private func carryOut(_ action: ClientAction, _ state: inout State) {
        switch action {
        case .store(let snapshot, let changedKeys):
            let former = reads.load()
            reads.store(snapshot)
            wake(
                state.hub.yield(FlagChange(former: former, snapshot: snapshot, changedKeys: changedKeys)),
                &state)
        case .emit(let event):
            wake(state.hub.yield(event), &state)
        case .complete(let id, let outcome):
            state.purposes[id] = nil
            if let call = state.calls.removeValue(forKey: id) { state.effects.append(.resume(call, outcome)) }
        case .finish:
            state.effects.append(.finish(state.hub.removeAll()))
        case .fetch(let id, let fetch):
            state.effects.append(.fetch(id, fetch, for: state.purposes(ofFetch: id)))
        case .cancelFetch, .openStream, .closeStream, .schedule, .cancelTimer, .log, .loadCache, .saveCache,
            .clearCache:
            state.effects.append(.perform(action))
        }
    }

    /// Puts what tells the app after what is done: whoever hears of a request finds it sent, and has heard all of it when
    /// a call returns.
    private func tellAfterwards(from start: Int, _ state: inout State) {
        let effects = state.effects[start...]
        guard effects.contains(where: \.tells) else { return }
        let done = effects.filter { !$0.tells && !$0.ends }
        state.effects.replaceSubrange(
            start..., with: done + effects.filter(\.tells) + effects.filter(\.ends))
    }

    private func wake(_ callbacks: [any PendingCallback], _ state: inout State) {
        if !callbacks.isEmpty { state.effects.append(.wake(callbacks)) }
    }

    /// Does what is queued until nothing is.
    ///
    /// Only the thread that set `isPerforming` is here.
    func performEffects() {
        while true {
            let batch: [Effect] = state.withLock { state in
                defer { state.effects = [] }
                if state.effects.isEmpty { state.isPerforming = false }
                return state.effects
            }
            if batch.isEmpty { return }
            for effect in batch {
                if case .report(let event) = effect {
                    telemetry?.handle(event)
                    continue
                }
                effects.perform(effect) { [weak self] event in self?.handle(event) }
            }
        }
    }
}
