extension ClientMachine {
    /// A fetch that was sent.
    struct FetchInFlight: Hashable, Sendable {
        let id: Int
        /// What it named as known.
        let etag: String?
        let wish: FetchWish
        /// How often the evaluations stream had changed the values before.
        let pushes: Int
    }

    /// A fetch to do.
    struct FetchWish: Hashable, Sendable {
        /// The notice that asks for it.
        var notice: RefetchNotice?

        /// One fetch for both wishes: the later notice speaks of the later state.
        func merged(with later: FetchWish?) -> FetchWish {
            FetchWish(notice: later?.notice ?? notice)
        }
    }

    /// Fetches now, or as soon as the one in flight is over and the service allows it.
    mutating func requestFetch(_ asked: FetchWish) {
        let merged = wish?.merged(with: asked) ?? asked
        guard fetch == nil else {
            wish = merged
            return
        }
        if notBefore > now.uptime {
            wish = merged
            schedule(.fetch, after: notBefore - now.uptime + Self.margin)
        } else {
            beginFetch(merged)
        }
    }

    /// Fetches a little later, when a notice has reached everyone.
    mutating func requestSpreadFetch(_ asked: FetchWish) {
        // A timer for an earlier wish, or the back-off's after a failure, stays in charge: further notices must not
        // put the fetch off, nor bring it forward. A fetch in flight is followed by one for the wish.
        let isPlanned = timers[.fetch] != nil && (wish != nil || failedFetches > 0)
        wish = wish?.merged(with: asked) ?? asked
        guard fetch == nil, !isPlanned else { return }
        schedule(.fetch, after: max(notBefore - now.uptime, now.random * settings.noticeSpread))
    }

    private mutating func beginFetch(_ begun: FetchWish) {
        cancel(.fetch)
        wish = nil
        let etag = holdsContext ? snapshot.etag : nil
        let id = nextNumber()
        fetch = FetchInFlight(id: id, etag: etag, wish: begun, pushes: pushes)
        act(.fetch(id, FetchRequest(context: context, etag: etag, notice: begun.notice)))
        schedule(.fetchDeadline, after: settings.requestTimeout)
    }

    /// Cuts the fetch in flight; its answer will be dropped.
    mutating func cutFetch() {
        guard let fetch else { return }
        act(.cancelFetch(fetch.id))
        cancel(.fetchDeadline)
        self.fetch = nil
    }

    /// A fetch is over.
    mutating func fetched(_ id: Int, _ result: FetchResult) {
        guard let fetch, fetch.id == id else { return }
        cancel(.fetchDeadline)
        self.fetch = nil
        var isOvertaken = false
        switch result {
        case .evaluation(let evaluation, let etag):
            isOvertaken = wasOvertaken(fetch, etag: etag)
            take(evaluation, etag: etag, from: fetch)
        case .notModified where fetch.etag == nil:
            let message = "the service answered 'not modified' though nothing was named as known"
            return failed(fetch, ServiceFailure(error: FlagClientError(code: .badResponse, message: message)))
        case .notModified:
            isOvertaken = wasOvertaken(fetch, etag: fetch.etag)
            if fetch.pushes == pushes { apply(snapshot.confirmed(etag: snapshot.etag, time: time)) }
        case .failure(let failure):
            return failed(fetch, failure)
        }
        succeeded(fetch, isOvertaken: isOvertaken)
    }

    /// Whether the stream has delivered something else since the fetch was sent.
    ///
    /// It cannot be told which of the two is newer. The answer is not applied then, and a further fetch tells.
    private func wasOvertaken(_ fetch: FetchInFlight, etag: String?) -> Bool {
        guard fetch.pushes != pushes else { return false }
        if let etag, snapshot.etag != nil { return !EntityTag.areSame(etag, snapshot.etag) }
        return !streams.contains { $0.kind == .evaluations && $0.isSynced }
    }

    /// The fetch in flight has used up its time.
    mutating func fetchOverdue() {
        guard let fetch else { return }
        cutFetch()
        let message = "the service did not answer within \(settings.requestTimeout) s"
        failed(fetch, ServiceFailure(error: FlagClientError(code: .timedOut, message: message)))
    }

    private mutating func take(_ evaluation: BulkEvaluation, etag: String?, from fetch: FetchInFlight) {
        announced = evaluation.eventStreams ?? []
        if evaluation.malformedCount > 0 {
            act(.log(.warning, "\(evaluation.malformedCount) flags of the answer could not be read"))
        }
        // What the stream delivered since may be newer than this answer; nothing that it delivers is older.
        guard fetch.pushes == pushes else { return }
        let next = snapshot.replaced(by: evaluation, etag: etag, context: context, time: time)
        if next.etag != snapshot.etag || !next.changedKeys(since: snapshot).isEmpty {
            // What is still on its way over an open stream of ours may be older than this answer.
            for stream in streams where stream.kind == .evaluations && stream.id != nil {
                removeStream(slot: stream.slot)
            }
        }
        apply(next)
    }

    private mutating func succeeded(_ fetch: FetchInFlight, isOvertaken: Bool) {
        failedFetches = 0
        lastError = nil
        reconcileStreams()
        if streams.isEmpty { linkIsUp() }
        if isOvertaken {
            wish = wish ?? FetchWish()
        } else {
            complete(.fresh) { $0.after < fetch.id }
        }
        if let wish {
            requestFetch(wish)
        } else {
            updatePolling()
        }
    }

    private mutating func failed(_ fetch: FetchInFlight, _ failure: ServiceFailure) {
        let error = record(failure)
        if let delay = error.retryAfter { notBefore = max(notBefore, now.uptime + delay) }
        if error.isRefusal { return stop(error) }
        act(.log(.warning, "cannot get flags: \(error)"))
        complete(.failed(error)) { $0.after < fetch.id }
        act(.emit(FlagEvent(kind: .error, error: error)))
        if !streams.contains(where: \.isSynced) { linkIsDown(error) }

        let delay = settings.backoff(attempt: failedFetches, random: now.random)
        failedFetches += 1
        let isAsked = !waiters.isEmpty
        guard settings.sync.form != .manual || isAsked else {
            wish = nil
            return
        }
        wish = fetch.wish.merged(with: wish)
        schedule(.fetch, after: max(delay, notBefore - now.uptime))
    }

    /// Sets or takes back the timer of the next poll, as the state of the streams asks for.
    ///
    /// A retry stays.
    mutating func updatePolling() {
        guard phase == .running, fetch == nil, wish == nil, failedFetches == 0 else { return }
        guard let interval = pollInterval else { return cancel(.fetch) }
        if timers[.fetch] == nil {
            schedule(.fetch, after: settings.jittered(interval, random: now.random))
        }
    }

    /// How often to ask, as things are; `nil` for not at all.
    var pollInterval: Double? {
        switch settings.sync.form {
        case .polling(let interval): interval
        case .streaming: streams.isEmpty || !streams.allSatisfy(\.isSynced) ? settings.fallbackInterval : nil
        case .once, .manual: nil
        }
    }
}
