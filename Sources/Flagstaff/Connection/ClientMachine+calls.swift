extension ClientMachine {
    /// An awaited call that has not returned.
    struct PendingWaiter: Hashable, Sendable {
        let waiter: Waiter
        /// It is satisfied by a fetch with a greater number: one that starts after the call.
        let after: Int
    }

    /// `start` and `setContext`.
    mutating func change(to context: FlagContext, _ waiter: Waiter) {
        guard phase != .closed else { return act(.complete(waiter.id, .closed)) }
        if phase == .idle || context != self.context { switchContext(to: context) }
        resume()
        enlist(waiter)
        requestFetch(FetchWish())
    }

    /// `refresh`.
    mutating func refresh(_ waiter: Waiter) {
        switch phase {
        case .closed:
            act(.complete(waiter.id, .closed))
        case .idle:
            let error = FlagClientError(code: .notStarted, message: "call start(context:) before refresh()")
            act(.complete(waiter.id, .failed(error)))
        case .running, .stopped:
            resume()
            enlist(waiter)
            requestFetch(FetchWish())
        }
    }

    /// `close`.
    mutating func close() {
        guard phase != .closed else { return }
        phase = .closed
        halt()
        complete(.closed) { _ in true }
        act(.emit(FlagEvent(kind: .closed)))
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
        for slot in streams.map(\.slot) { removeStream(slot: slot) }
        cancel(.fetch)
    }

    /// Goes on after a refusal, and forgets what was refused: the app has asked.
    private mutating func resume() {
        phase = .running
        refusedStreams = []
    }

    private mutating func enlist(_ waiter: Waiter) {
        let wait = notBefore - now.uptime
        if wait > waiter.timeout {
            let error = FlagClientError(
                code: lastError?.retryAfter == nil ? .rateLimited : lastError?.code ?? .rateLimited,
                message: "the service allows the next request in \(Int(wait.rounded(.up))) s",
                status: lastError?.status, retryAfter: wait)
            return act(.complete(waiter.id, .failed(error)))
        }
        waiters.append(PendingWaiter(waiter: waiter, after: latestNumber))
        if waiter.timeout < .infinity { schedule(.waiter(waiter.id), after: waiter.timeout) }
    }

    private mutating func switchContext(to context: FlagContext) {
        complete(.superseded) { _ in true }
        cutFetch()
        wish = nil
        failedFetches = 0
        // Our stream belongs to a context; notices do not, and the next answer says whether they stay the same.
        for stream in streams where stream.kind == .evaluations { removeStream(slot: stream.slot) }
        self.context = context
        if phase != .idle {
            announcesContext = true
            act(.emit(FlagEvent(kind: .contextChanging)))
        }
        leaveValues()
    }

    /// Deals with the former context's values.
    private mutating func leaveValues() {
        let former = snapshot
        if former.isReady, settings.contextSwitch != .dropAtOnce {
            if !former.isStale {
                snapshot = former.markedStale()
                act(.store(snapshot, changedKeys: []))
            }
            return
        }
        snapshot = former.dropped(for: context)
        let keys = snapshot.changedKeys(since: former)
        act(.store(snapshot, changedKeys: keys))
        if !keys.isEmpty { act(.emit(FlagEvent(kind: .changed, changedKeys: keys))) }
    }
}
