import Foundation

extension ClientMachine {
    /// Whether the values in effect are those of the context in effect.
    var holdsContext: Bool { snapshot.isReady && !snapshot.isStale }

    /// The time to write on values that arrive now.
    var time: Date { Date(timeIntervalSince1970: now.wall) }

    /// What arrived from the service, in its own words.
    struct Payload {
        /// The keys that it named.
        var keys: [String]
        /// Whether it named all flags, or only those that changed.
        var isWhole: Bool
    }

    /// Puts values of the context in effect into effect and says what that changed.
    ///
    /// The order is a promise: values can be read, then the context's change, then readiness, then what arrived, then
    /// what changed.
    ///
    /// - Parameters:
    ///   - next: The values; `payload` is `nil` where the service said that nothing has changed.
    ///   - cause: What made them arrive.
    ///   - payload: What arrived.
    mutating func apply(_ next: FlagSnapshot, cause: FlagUpdateCause, payload: Payload? = nil) {
        let former = snapshot
        let formerlyVisible = visible
        snapshot = next
        confirmedAt = now.uptime
        let keys = publish()
        if settings.hasCache { act(.saveCache(next)) }
        if announcesContext {
            announcesContext = false
            act(.emit(FlagEvent(kind: .contextChanged, cause: cause)))
            act(.log(.info, "the values of the context that was set are here"))
        }
        complete(.cached) { $0.takesAny }
        let isFirst = becomeReady(cause)
        if let payload {
            act(
                .log(
                    .debug,
                    "received \(payload.isWhole ? "all" : "changed") flags: \(payload.keys.count) (\(cause))")
            )
            let removed =
                former.context == next.context
                ? former.resolutions.keys.filter { next.resolutions[$0] == nil } : []
            act(
                .emit(
                    FlagEvent(
                        kind: .received, receivedKeys: payload.keys.sorted(), removedKeys: removed.sorted(),
                        isWhole: payload.isWhole, cause: cause)))
        }
        if !keys.isEmpty, !isFirst || formerlyVisible.resolutions.isEmpty == false {
            act(.emit(FlagEvent(kind: .changed, changedKeys: keys, cause: cause)))
        }
    }

    /// Says that the first values are here, if they are the first.
    mutating func becomeReady(_ cause: FlagUpdateCause) -> Bool {
        if wasReady { return false }
        wasReady = true
        act(.emit(FlagEvent(kind: .ready, cause: cause)))
        act(.log(.info, "ready with \(snapshot.resolutions.count) flags (\(cause))"))
        return true
    }

    /// Lets reads find the values as they are now, and returns the keys that changed by it.
    @discardableResult
    mutating func publish() -> [String] {
        let next = snapshot.layered(over: settings.bootstrap, under: overrides, after: visible)
        let keys = next.changedKeys(since: visible)
        visible = next
        act(.store(next, changedKeys: keys))
        return keys
    }

    /// Other values win over all from now on.
    mutating func override(with values: [String: FlagValue]) {
        guard phase != .closed, values != overrides else { return }
        overrides = values
        let keys = publish()
        if !keys.isEmpty { act(.emit(FlagEvent(kind: .changed, changedKeys: keys, cause: .override))) }
    }

    /// Reports flags that cost only themselves.
    mutating func reportMalformed(_ evaluation: BulkEvaluation) {
        let count = evaluation.malformedCount
        if count > 0 { act(.log(.warning, "\(count) flags of the service could not be read")) }
    }

    /// Tells the listeners that the service delivers, if it does and they thought otherwise.
    ///
    /// Our stream delivers by itself; beside notices, or without a stream, it takes fetches that succeed.
    mutating func checkLink() {
        let isOurs = streams.contains { $0.kind == .evaluations }
        guard link != .up, isOurs || failedFetches == 0, streams.allSatisfy(\.isSynced) else { return }
        link = .up
        act(.emit(FlagEvent(kind: .connected)))
        act(.log(.info, "connected: the service delivers"))
    }

    /// The service does not deliver: tells the listeners, if there is something that can get stale.
    mutating func linkIsDown(_ error: FlagClientError) {
        guard link != .down else { return }
        link = .down
        if wasReady { act(.emit(FlagEvent(kind: .stale, error: error))) }
    }

    /// Notes a failure and the time before which the service wants no call.
    mutating func record(_ failure: ServiceFailure) -> FlagClientError {
        var error = failure.error
        if let retryAfter = failure.retryAfter {
            let seconds = retryAfter.delay(now: Int64(now.wall), cap: settings.retryAfterCap)
            error.retryAfter = Double(seconds)
        }
        lastError = error
        return error
    }

    /// Keeps all requests back for as long as the service asks to.
    mutating func holdOff(_ error: FlagClientError) {
        guard let delay = error.retryAfter, now.uptime + delay > notBefore else { return }
        notBefore = now.uptime + delay
        notBeforeCause = error
    }

    /// The service refused the client: values stay, what else follows is the policy.
    mutating func refused(_ error: FlagClientError) {
        // Names that are not known act as `stop`.
        if settings.refusal != .slowDown { return stop(error) }
        halt()
        failedFetches += 1
        linkIsDown(error)
        if !hasReportedRefusal {
            hasReportedRefusal = true
            act(.log(.error, "the service refuses this client, which goes on asking now and then: \(error)"))
        }
        complete(.failed(error)) { !$0.takesAny }
        act(.emit(FlagEvent(kind: .error, error: error)))
        wish = FetchWish(cause: .poll)
        let delay = settings.jittered(settings.retryCap, random: now.random)
        schedule(.fetch, after: max(delay, notBefore - now.uptime))
    }

    /// Nothing more is tried until the app asks again.
    private mutating func stop(_ error: FlagClientError) {
        phase = .stopped
        halt()
        failedFetches = 0
        link = .down
        act(.log(.error, "stopped: \(error)"))
        // Told before calls return, so that whoever follows the events knows what a call ended with.
        act(.emit(FlagEvent(kind: .stopped, error: error)))
        complete(.failed(error)) { _ in true }
    }

    /// What the client is doing.
    var status: FlagClientStatus {
        FlagClientStatus(connection: connection, isReady: snapshot.isReady, lastError: lastError)
    }

    private var connection: FlagClientStatus.Connection {
        switch phase {
        case .idle: return .idle
        case .stopped: return .stopped
        case .closed: return .closed
        case .running where !pauses.isEmpty: return .paused
        case .running: break
        }
        if !streams.isEmpty, streams.allSatisfy(\.isSynced), holdsContext { return .streaming }
        if fetch == nil, timers[.fetch] == nil, streams.isEmpty { return .idle }
        // Stored values say nothing about the service.
        return holdsContext && confirmedAt != nil && failedFetches == 0 && pollInterval != nil
            ? .polling : .connecting
    }
}
