extension ClientMachine {
    /// An awaited call that has not returned.
    struct PendingWaiter: Hashable, Sendable {
        let waiter: Waiter
        /// It is satisfied by a fetch with a greater number: one that starts after the call.
        let after: Int
        /// Whether stored values are enough.
        var takesCached = false
        /// Whether it asks for nothing, and is satisfied by whatever values there are.
        var takesAny = false
    }

    /// `start` and `setContext`.
    mutating func change(to context: FlagContext, _ waiter: Waiter) {
        guard phase != .closed else { return act(.complete(waiter.id, .closed)) }
        let isStart = phase == .idle
        let isOther = isStart || context != self.context
        let staysStopped = staysStopped
        if isOther { switchContext(to: context) }
        if !staysStopped { askAnew() }
        if isOther { searchCache(isStart: isStart) }
        if staysStopped { return act(.complete(waiter.id, refusal)) }
        guard pauses.isEmpty else { return act(.complete(waiter.id, .paused)) }
        if isOther, !isStart, settings.contextChangeDelay > 0 {
            settle()
        }
        let takesCached = settings.startRequirement == .cached
        if takesCached, holdsContext, confirmedAt == nil {
            // Stored values are in effect already; another search would find no others.
            act(.complete(waiter.id, .cached))
        } else {
            enlist(waiter, takesCached: takesCached)
        }
        requestFetch(FetchWish(cause: isStart ? .start : isOther ? .contextChange : .refresh))
    }

    /// `discardValues`.
    ///
    /// Calls that wait go on waiting: for the fetch that follows.
    mutating func discard() {
        if settings.hasCache { act(.clearCache) }
        cacheSearch = nil
        cancel(.cacheLimit)
        if phase == .running { startOver() }
        if snapshot.isReady { dropValues() }
        guard phase == .running, pauses.isEmpty else { return }
        if settings.contextChangeDelay > 0 { settle() }
        requestFetch(FetchWish(cause: .refresh))
    }

    /// `waitUntilReady`.
    ///
    /// Nothing is asked for on its account, and no change of context ends it.
    mutating func awaitValues(_ waiter: Waiter, takesCached: Bool) {
        if takesCached ? snapshot.isReady : confirmedAt != nil { return act(.complete(waiter.id, .cached)) }
        switch phase {
        case .closed: return act(.complete(waiter.id, .closed))
        case .stopped: return act(.complete(waiter.id, refusal))
        case .idle, .running: break
        }
        waiters.append(PendingWaiter(waiter: waiter, after: .max, takesCached: takesCached, takesAny: true))
        if waiter.timeout < .infinity { schedule(.waiter(waiter.id), after: waiter.timeout) }
    }

    /// `refresh`.
    mutating func refresh(_ waiter: Waiter) {
        switch phase {
        case .closed:
            act(.complete(waiter.id, .closed))
        case .idle:
            let error = FlagClientError(code: .notStarted, message: "call start(context:) before refresh()")
            act(.complete(waiter.id, .failed(error)))
        case .running where !pauses.isEmpty, .stopped where !pauses.isEmpty:
            act(.complete(waiter.id, .paused))
        case .running, .stopped:
            askAnew()
            enlist(waiter)
            requestFetch(FetchWish(cause: .refresh))
        }
    }

    /// `close`.
    mutating func close() {
        guard phase != .closed else { return }
        phase = .closed
        halt()
        complete(.closed) { _ in true }
        act(.emit(FlagEvent(kind: .closed)))
        act(.log(.info, "closed"))
        act(.finish)
    }

    /// Lets the waiting calls that the condition names return.
    mutating func complete(_ outcome: FlagUpdateOutcome, where isMeant: (PendingWaiter) -> Bool) {
        for pending in waiters where isMeant(pending) {
            act(.complete(pending.waiter.id, outcome))
            cancel(.waiter(pending.waiter.id))
        }
        waiters.removeAll(where: isMeant)
    }

    /// Gives up all that is under way and all timers but those of waiting calls.
    mutating func halt() {
        cutFetch()
        wish = nil
        cacheSearch = nil
        cancel(.cacheLimit)
        cancel(.settling)
        for slot in streams.map(\.slot) { removeStream(slot: slot) }
        cancel(.fetch)
    }

    /// Goes on after a refusal, and forgets what was refused: the app has asked.
    mutating func askAnew() {
        phase = .running
        refusedStreams = []
        hasRenewedAddress = false
        hasReportedRefusal = false
    }

    /// Whether only `refresh` ends the stop in which the client is.
    var staysStopped: Bool { phase == .stopped && settings.refusal == .stopUntilRefresh }

    /// How calls end that the client cannot do anything for while it is stopped.
    var refusal: FlagUpdateOutcome { FlagUpdateOutcome(kind: .failed, error: lastError) }

    /// Waits for a further change of context, but not for ever.
    private mutating func settle() {
        let delay = settings.contextChangeDelay
        if timers[.settling] == nil { settlingSince = now.uptime }
        schedule(.settling, after: min(delay, settlingSince + 4 * delay - now.uptime))
    }

    /// Lets a call wait for a fetch that starts after it.
    mutating func enlist(_ waiter: Waiter, takesCached: Bool = false) {
        let wait = notBefore - now.uptime
        if wait > waiter.timeout, !settings.waitsOutFailures {
            let error = FlagClientError(
                code: notBeforeCause?.code ?? .rateLimited,
                message: "the service allows the next request in \(Int(wait.rounded(.up))) s",
                status: notBeforeCause?.status, retryAfter: wait)
            return act(.complete(waiter.id, .failed(error)))
        }
        waiters.append(PendingWaiter(waiter: waiter, after: latestNumber, takesCached: takesCached))
        if waiter.timeout < .infinity { schedule(.waiter(waiter.id), after: waiter.timeout) }
    }

    /// Puts another context in effect, whose values are to come.
    mutating func switchContext(to context: FlagContext) {
        complete(.superseded) { !$0.takesAny }
        startOver()
        self.context = context
        if phase != .idle {
            announcesContext = true
            act(.emit(FlagEvent(kind: .contextChanging)))
        }
        leaveValues()
    }

    /// Gives up what is under way for values that will not be used.
    private mutating func startOver() {
        cutFetch()
        wish = nil
        failedFetches = 0
        overtakenFetches = 0
        confirmedAt = nil
        // Our stream belongs to a context; notices do not, and the next answer says whether they stay the same.
        for stream in streams where stream.kind == .evaluations { removeStream(slot: stream.slot) }
    }

    /// Deals with the former context's values.
    private mutating func leaveValues() {
        if snapshot.isReady, settings.contextSwitch.keepsValues { return markStale() }
        dropValues()
    }

    /// Says of the values that others are asked for.
    mutating func markStale() {
        guard snapshot.isReady, !snapshot.isStale else { return }
        snapshot = snapshot.markedStale()
        publish()
    }

    private mutating func dropValues() {
        snapshot = snapshot.dropped(for: context)
        let keys = publish()
        if !keys.isEmpty { act(.emit(FlagEvent(kind: .changed, changedKeys: keys, cause: .contextChange))) }
    }
}
