extension ClientMachine {
    /// Rests: nothing is under way and no timer is set until all who wanted it want it no more.
    ///
    /// Values stay, and a change of context is remembered. Calls that wait return at once.
    mutating func pause(_ cause: PauseCause) {
        guard phase != .closed, pauses.insert(cause).inserted, pauses.count == 1 else { return }
        let search = cacheSearch
        halt()
        // Stored values need no network.
        cacheSearch = search
        failedFetches = 0
        link = .unknown
        complete(.paused) { !$0.takesAny }
        act(.emit(FlagEvent(kind: .paused)))
        act(.log(.info, "paused"))
    }

    /// `resume`.
    ///
    /// Ends the app's own pause and that of the background: the app knows that it wants the network.
    mutating func resume(_ waiter: Waiter) {
        switch phase {
        case .closed:
            act(.complete(waiter.id, .closed))
        case .idle:
            if !pauses.isEmpty { act(.emit(FlagEvent(kind: .resumed))) }
            pauses = []
            let error = FlagClientError(code: .notStarted, message: "call start(context:) before resume()")
            act(.complete(waiter.id, .failed(error)))
        case .running, .stopped:
            let wasPaused = !pauses.isEmpty
            pauses = []
            let staysStopped = staysStopped
            if !staysStopped { askAnew() }
            if wasPaused { act(.emit(FlagEvent(kind: .resumed))) }
            if staysStopped { return act(.complete(waiter.id, refusal)) }
            enlist(waiter)
            catchUp(.resume)
        }
    }

    /// The app went out of sight.
    mutating func enterBackground() {
        guard settings.pausesInBackground, phase == .running else { return }
        pause(.background)
    }

    /// The app is seen again: whatever was missed meanwhile takes one fetch.
    mutating func enterForeground() {
        let wasPaused = pauses.remove(.background) != nil
        guard phase == .running, pauses.isEmpty else { return }
        // What is being asked already is as new as what would be asked now.
        if fetch != nil { return }
        if wasPaused { act(.emit(FlagEvent(kind: .resumed))) }
        // Values of an earlier run are not what the service has to say.
        let hasHeard = confirmedAt != nil
        if settings.sync.form == .manual || settings.sync.form == .once, hasHeard { return }
        let isLive = !streams.isEmpty && streams.allSatisfy(\.isSynced)
        let age = confirmedAt.map { now.uptime - $0 } ?? .infinity
        if !hasHeard || (!isLive && settings.foregroundRefresh.isDue(age: age)) {
            // A retry's delay says nothing about the network of now.
            cancel(.fetch)
            catchUp(.foreground)
        } else if wasPaused {
            reconcileStreams()
            updatePolling()
        }
    }

    private mutating func catchUp(_ cause: FlagUpdateCause) {
        // While the client rested, announced streams of the standard may have moved.
        let mayHaveMoved = settings.sync.form == .streaming && streams.isEmpty
        requestFetch(FetchWish(cause: cause, isUnconditional: mayHaveMoved))
    }
}
