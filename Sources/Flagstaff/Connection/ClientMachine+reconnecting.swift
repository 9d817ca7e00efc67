extension ClientMachine {
    /// `reconnect`.
    ///
    /// What is under way may hang, so it is cut and not waited for; and all values are asked for, so that the service
    /// says each of them again.
    mutating func reconnect(for context: FlagContext, _ waiter: Waiter) {
        guard phase != .closed else { return act(.complete(waiter.id, .closed)) }
        let isStart = phase == .idle
        let isOther = isStart || context != self.context
        let wasPaused = !pauses.isEmpty
        complete(.superseded) { !$0.takesAny }
        halt()
        pauses = []
        failedFetches = 0
        link = .unknown
        if wasPaused { act(.emit(FlagEvent(kind: .resumed))) }
        if isOther { switchContext(to: context) } else { markStale() }
        askAnew()
        if isOther { searchCache(isStart: isStart) }
        enlist(waiter, takesCached: settings.startRequirement == .cached)
        requestFetch(
            FetchWish(
                cause: isStart ? .start : isOther ? .contextChange : .refresh, isUnconditional: true))
        // Last: whoever hears it finds the request on its way. What it brings is told later in any case.
        act(.emit(FlagEvent(kind: .reconnecting)))
    }
}
