import FlagLocking
import Flagstaff
import Foundation

/// A client over a native one of its own.
final class DefaultSplitClient: SplitClient {
    private struct State: Sendable {
        var target: Target
        var isDestroyed = false
    }

    let flags: FlagClient
    let listeners: Listeners
    private let state: Lock<State>
    private let settings: ClientSettings
    private let token: FlagToken
    /// Ends with the client.
    private let start: Lock<Task<Void, Never>?>
    /// Tells the factory of the end.
    private let onDestroy: @Sendable (DefaultSplitClient) -> Void

    init(
        _ flags: FlagClient, target: Target, settings: ClientSettings,
        onDestroy: @escaping @Sendable (DefaultSplitClient) -> Void
    ) {
        self.flags = flags
        self.settings = settings
        self.onDestroy = onDestroy
        state = Lock(State(target: target))
        let context = target.context
        let listeners = Listeners(context)
        self.listeners = listeners
        token = flags.onEvent(on: .immediate) { [weak flags] event in
            guard let flags else { return }
            Self.hear(event, of: flags, settings, listeners)
        }
        settings.warn(of: target)
        flags.startInBackground(context: context)
        // Its owner is the client, whose end ends it.
        start = Lock(nil)
        let task = Task { [weak flags, listeners] in
            guard let isFresh = await flags?.waitUntilFresh(timeout: settings.readyTimeout) else { return }
            if !isFresh { listeners.update { $0.timedOut() } }
        }
        start.withLock { $0 = task }
    }

    deinit {
        listeners.removeAll()
        start.withLock { $0 }?.cancel()
        flags.finish()
    }

    private static func hear(
        _ event: FlagEvent, of flags: FlagClient, _ settings: ClientSettings, _ listeners: Listeners
    ) {
        switch event.kind {
        case .cached:
            let snapshot = flags.snapshot
            guard snapshot.isReady else { return }
            let timestamp = snapshot.updated.map { Int64($0.timeIntervalSince1970 * 1000) }
            listeners.update {
                $0.cached(settings.entries(snapshot), of: snapshot.context, timestamp: timestamp)
            }
        case .received, .connected:
            // Read inside the update, so that of two the last one told has the newest values.
            listeners.update { readiness in
                let snapshot = flags.snapshot
                guard snapshot.isReady, !snapshot.isStale else { return [] }
                return readiness.synced(settings.entries(snapshot), of: snapshot.context)
            }
        default:
            break
        }
    }

    // MARK: Reading

    var target: Target { state.withLock { $0.target } }

    func getTreatment(flag: String) -> EvaluationResult {
        if state.withLock({ $0.isDestroyed }) { return settings.fallback(flag) }
        return result(flags.evaluation(of: flag, default: FlagValue.null))
    }

    func getTreatments(flags: [String]) -> [EvaluationResult] {
        flags.map(getTreatment(flag:))
    }

    func getTreatmentsByFlagSets(flagSets: [String]) -> [EvaluationResult] {
        if state.withLock({ $0.isDestroyed }) { return [] }
        let (names, dropped) = FlagSetNames.check(flagSets)
        settings.warn(ofSets: dropped)
        let wanted = Set(names)
        let snapshot = flags.snapshot
        return snapshot.keys.filter(settings.keeps).compactMap { key in
            let read = snapshot.evaluation(of: key, default: FlagValue.null)
            guard read.flagSets.contains(where: { wanted.contains($0.lowercased()) }) else { return nil }
            flags.recordRead(of: read)
            return result(read)
        }
    }

    private func result(_ read: FlagEvaluation<FlagValue>) -> EvaluationResult {
        guard !read.isDefault, settings.keeps(read.key) else { return settings.fallback(read.key) }
        let treatment = Treatment(
            read.value, variant: read.variant, metadata: read.metadata, hasConfig: settings.configsEnabled)
        return EvaluationResult(
            flag: read.key, treatment: treatment.name, config: treatment.config,
            changeNumber: read.version.flatMap { Int64($0) }, flagSets: read.flagSets)
    }

    /// The flags that are here.
    var flagNames: [String] {
        state.withLock { $0.isDestroyed } ? [] : flags.snapshot.keys.filter(settings.keeps)
    }

    // MARK: Target

    func setTarget(target: Target) {
        guard !target.key.matchingKey.trimmed.isEmpty else {
            return settings.logger.error("a target without a matching key is passed over")
        }
        settings.warn(of: target)
        state.withLock { state in
            let former = state.target
            guard !state.isDestroyed, target != former else { return }
            state.target = target
            if target.context == former.context { return }
            // Inside the lock: two changes from two threads reach the native client in one order.
            listeners.update { readiness in
                readiness.change(to: target.context)
                return []
            }
            flags.setContextInBackground(target.context)
        }
    }

    // MARK: Listening

    func addEventListener(_ listener: any SplitEventListener) { listeners.add(listener) }

    func removeEventListener(_ listener: any SplitEventListener) { listeners.remove(listener) }

    // MARK: Events

    func track(eventType: String, value: Double?, properties: EventProperties?) -> Bool {
        let (target, isDestroyed) = state.withLock { ($0.target, $0.isDestroyed) }
        if isDestroyed { return false }
        do throws(TrackedEvent.Refusal) {
            let event = try TrackedEvent(eventType, value, properties ?? [:], target)
            for (name, value) in event.properties where value == .null {
                settings.logger.warning(
                    "the property '\(name)' of an event is neither text, number nor Boolean: it is null")
            }
            return flags.track(event.name, value: event.value, properties: event.properties)
        } catch {
            settings.logger.error("an event is not reported: \(error.why)")
            return false
        }
    }

    // MARK: The end

    func flush() async {
        await flags.flush()
    }

    func destroy() async {
        let isFirst = state.withLock { state in
            defer { state.isDestroyed = true }
            return !state.isDestroyed
        }
        if isFirst {
            // First: what ends the start tells nobody that it did not succeed.
            listeners.removeAll()
            start.withLock { $0 }?.cancel()
            onDestroy(self)
        }
        await flags.close()
    }
}
