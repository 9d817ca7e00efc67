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
        /// What makes it due.
        var cause: FlagUpdateCause
        /// The notice that asks for it.
        var notice: RefetchNotice?
        /// Whether it needs the whole answer, also when no value has changed.
        var isUnconditional = false

        /// One fetch for both wishes: the later notice speaks of the later state, the first cause is why it is sent.
        func merged(with later: FetchWish?) -> FetchWish {
            FetchWish(
                cause: cause == .poll ? later?.cause ?? cause : cause, notice: later?.notice ?? notice,
                isUnconditional: isUnconditional || later?.isUnconditional == true)
        }
    }

    /// Whether fetching has to wait for something other than time.
    private var isHeld: Bool {
        !pauses.isEmpty || timers[.cacheLimit] != nil || timers[.settling] != nil
    }

    /// What fetching had to wait for may be over.
    mutating func goOn() {
        if fetch == nil, !isHeld, let wish { requestFetch(wish) }
    }

    /// Fetches now, or as soon as the one in flight is over and the service allows it.
    mutating func requestFetch(_ asked: FetchWish) {
        let merged = wish?.merged(with: asked) ?? asked
        guard fetch == nil, !isHeld else {
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
        // "Not modified" names no streams, so a client that streams has to hear of them first.
        let knowsStreams = hasAnswer || settings.sync.form != .streaming
        let etag = holdsContext && knowsStreams && !begun.isUnconditional ? snapshot.etag : nil
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
            if fetch.pushes == pushes {
                apply(snapshot.confirmed(etag: snapshot.etag, time: time), cause: fetch.wish.cause)
            }
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

    /// An answer came too late to be used.
    ///
    /// Another fetch may fare no better where values change faster than a round trip takes. So in the end the stream is
    /// opened anew: what it begins with is no older than the calls that wait.
    private mutating func overtaken(_ fetch: FetchInFlight) {
        overtakenFetches += 1
        let isWaitedFor = waiters.contains { $0.after < fetch.id }
        guard isWaitedFor, overtakenFetches > 2,
            let stream = streams.first(where: { $0.kind == .evaluations && $0.isSynced })
        else {
            wish = wish ?? FetchWish(cause: fetch.wish.cause)
            return
        }
        overtakenFetches = 0
        removeStream(slot: stream.slot)
        reconcileStreams()
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
        hasAnswer = true
        reportMalformed(evaluation)
        // What the stream delivered since may be newer than this answer; nothing that it delivers is older.
        guard fetch.pushes == pushes else { return }
        let next = snapshot.replaced(by: evaluation, etag: etag, context: context, time: time)
        let isSameState = etag.map { EntityTag.areSame($0, snapshot.etag) } ?? false
        if !isSameState || !next.changedKeys(since: snapshot).isEmpty {
            // What is still on its way over an open stream of ours may be older than this answer.
            for stream in streams where stream.kind == .evaluations && stream.id != nil {
                removeStream(slot: stream.slot)
            }
        }
        apply(
            next, cause: fetch.wish.cause, payload: Payload(keys: evaluation.flags.map(\.key), isWhole: true))
    }

    private mutating func succeeded(_ fetch: FetchInFlight, isOvertaken: Bool) {
        failedFetches = 0
        lastError = nil
        hasReportedRefusal = false
        reconcileStreams()
        checkLink()
        if isOvertaken {
            overtaken(fetch)
        } else {
            overtakenFetches = 0
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
        holdOff(error)
        if settings.isRefusal(error) { return refused(error) }
        act(.log(.warning, "cannot get flags: \(error)"))
        if !settings.waitsOutFailures || error.isRejection {
            complete(.failed(error)) { $0.after < fetch.id }
        }
        act(.emit(FlagEvent(kind: .error, error: error)))
        if !streams.contains(where: { $0.kind == .evaluations && $0.isSynced }) { linkIsDown(error) }

        let delay = settings.backoff(attempt: failedFetches, random: now.random)
        failedFetches += 1
        let isAsked = waiters.contains { !$0.takesAny }
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
        guard phase == .running, pauses.isEmpty, fetch == nil, wish == nil, failedFetches == 0 else { return }
        guard let interval = pollInterval else { return cancel(.fetch) }
        if timers[.fetch] == nil {
            schedule(.fetch, after: settings.jittered(interval, random: now.random))
        }
    }

    /// How often to ask, as things are; `nil` for not at all.
    var pollInterval: Double? {
        switch settings.sync.form {
        case .polling(let interval): interval < .infinity ? interval : nil
        case .streaming: streams.isEmpty || !streams.allSatisfy(\.isSynced) ? settings.fallbackInterval : nil
        case .once, .manual: nil
        }
    }
}
