extension ClientMachine {
    /// A stream that the client wants, connected or not.
    struct StreamSlot: Hashable, Sendable {
        /// Names the wanted stream over all its connections.
        let slot: Int
        let kind: StreamKind
        let url: String
        /// The number of the connection, while there is one.
        var id: Int?
        /// Whether this connection has shown that it delivers.
        var isSynced = false
        /// How many changes this connection has delivered.
        var patches = 0
        /// When the service accepted this connection.
        var openedAt: Double?
        var lastActivity = 0.0
        /// How many connections in a row were lost early.
        var attempts = 0
        /// The delay before reconnecting that the service asked for.
        var retryFloor = 0.0
        var lastEventID: String?
    }

    /// Opens what the service announces and the client understands, and closes the rest.
    mutating func reconcileStreams() {
        refusedStreams.formIntersection(announced.map(address))
        var wanted = wantedStreams()
        let surplus = wanted.count - settings.mostStreams
        if surplus > 0 {
            act(.log(.info, "\(surplus) of the announced streams are too many and not opened"))
            wanted.removeLast(surplus)
        }
        for stream in streams
        where !wanted.contains(where: { $0.kind == stream.kind && $0.url == stream.url }) {
            removeStream(slot: stream.slot)
        }
        for (kind, url) in wanted where !streams.contains(where: { $0.kind == kind && $0.url == url }) {
            let slot = nextNumber()
            streams.append(StreamSlot(slot: slot, kind: kind, url: url))
            reconnect(slot: slot)
        }
    }

    /// The context's flags over one stream where they are offered, else notices over all streams of the standard.
    private func wantedStreams() -> [(kind: StreamKind, url: String)] {
        guard settings.sync.form == .streaming, phase == .running, pauses.isEmpty else { return [] }
        let urls = { (type: String) in
            announced.filter { $0.type == type }.map(address).filter { !refusedStreams.contains($0) }
        }
        if let url = urls(EventStream.evaluationsType).first { return [(.evaluations, url)] }
        var seen: Set<String> = []
        let notices = urls(EventStream.refetchType).filter { seen.insert($0).inserted }
        return notices.map { (.notices, $0) }
    }

    /// Connects a stream now, or when the service allows it.
    mutating func reconnect(slot: Int) {
        guard let index = streams.firstIndex(where: { $0.slot == slot }), streams[index].id == nil else {
            return
        }
        // Our stream is the service's own; a stream of the standard can be anyone's.
        if streams[index].kind == .evaluations, notBefore > now.uptime {
            return schedule(.reconnect(slot: slot), after: notBefore - now.uptime + Self.margin)
        }
        let id = nextNumber()
        streams[index].id = id
        streams[index].isSynced = false
        streams[index].patches = 0
        streams[index].openedAt = nil
        streams[index].lastActivity = now.uptime
        let stream = streams[index]
        let request = StreamRequest(
            kind: stream.kind, url: stream.url, context: context, etag: holdsContext ? snapshot.etag : nil,
            lastEventID: stream.lastEventID)
        act(.openStream(id, request))
        schedule(.silence(slot: slot), after: silenceLimit(of: stream))
    }

    /// How long a stream may be silent now: until it answers, no longer than any other request.
    private func silenceLimit(of stream: StreamSlot) -> Double {
        let limit = settings.silence(of: stream.kind)
        return stream.openedAt == nil ? min(limit, settings.requestTimeout) : limit
    }

    /// Something arrived on a connection.
    ///
    /// What belongs to one that is gone is dropped.
    mutating func received(_ inputs: [StreamInput], on id: Int) {
        for input in inputs {
            guard let index = streams.firstIndex(where: { $0.id == id }) else { return }
            streams[index].lastActivity = now.uptime
            take(input, at: index)
        }
    }

    private mutating func take(_ input: StreamInput, at index: Int) {
        switch input {
        case .opened:
            streams[index].openedAt = now.uptime
            guard streams[index].kind == .notices else { break }
            hasRenewedAddress = false
            synced(index)
            // What changed while the stream was down, or before it was up, was not noticed.
            requestFetch(FetchWish(cause: .push))
        case .activity:
            break
        case .retry(let milliseconds):
            streams[index].retryFloor = min(Double(milliseconds) / 1000, settings.retryCap)
        case .skipped(let what):
            act(.log(.debug, "passed over \(what) of a stream"))
        case .lost(let what):
            lost(index, "a stream sent \(what)")
        case .notice(let notice, let id):
            streams[index].lastEventID = id
            requestSpreadFetch(FetchWish(cause: .push, notice: notice))
        case .evaluations(let message, let id):
            streams[index].lastEventID = id
            take(message, at: index)
        case .ended(let failure):
            ended(index, failure)
        }
    }

    private mutating func take(_ message: EvaluationsMessage, at index: Int) {
        switch message {
        case .put(let etag, let evaluation):
            pushes += 1
            reportMalformed(evaluation)
            apply(
                snapshot.replaced(by: evaluation, etag: etag, context: context, time: time), cause: .push,
                payload: Payload(keys: evaluation.flags.map(\.key), isWhole: true))
            synced(index)
        case .current(let etag):
            // Adopts the stream's form: a proxy makes a weak tag of the service's when it compresses an answer.
            guard holdsContext, EntityTag.areSame(etag, snapshot.etag) else {
                return lost(index, "a stream takes for current what the client does not have")
            }
            apply(snapshot.confirmed(etag: etag, time: time), cause: .push)
            synced(index)
        case .patch(let etag, let changed, let removed, let metadata, let number):
            guard streams[index].isSynced else { return lost(index, "a stream began with a change") }
            streams[index].patches += 1
            if let number, number != streams[index].patches {
                return lost(index, "a stream skipped or repeated a change")
            }
            pushes += 1
            apply(
                snapshot.patched(
                    changed: changed, removed: removed, metadata: metadata, etag: etag, time: time),
                cause: .push, payload: Payload(keys: changed.map(\.key), isWhole: false))
        }
    }

    private mutating func synced(_ index: Int) {
        streams[index].isSynced = true
        if failedFetches == 0, streams.allSatisfy(\.isSynced) { lastError = nil }
        checkLink()
        // What our stream begins with is no older than its opening.
        if streams[index].kind == .evaluations, let id = streams[index].id {
            complete(.fresh) { $0.after < id }
        }
        updatePolling()
    }

    /// The values can no longer be told from this connection: start over with what is known.
    private mutating func lost(_ index: Int, _ what: String) {
        act(.log(.warning, "\(what); it is opened again"))
        ended(index, ServiceFailure(error: FlagClientError(code: .badResponse, message: what)))
    }

    /// A stream has been silent for its limit, or not quite.
    mutating func checkSilence(slot: Int) {
        guard let index = streams.firstIndex(where: { $0.slot == slot }), streams[index].id != nil else {
            return
        }
        let limit = silenceLimit(of: streams[index])
        let idle = now.uptime - streams[index].lastActivity
        if idle < limit {
            schedule(.silence(slot: slot), after: limit - idle + Self.margin)
        } else {
            let message = "a stream was silent for \(Int(limit)) s"
            ended(index, ServiceFailure(error: FlagClientError(code: .timedOut, message: message)))
        }
    }

    /// A connection is over: try again later, make do without it, or stop, as the reason asks for.
    private mutating func ended(_ index: Int, _ failure: ServiceFailure) {
        let error = record(failure)
        let stream = streams[index]
        disconnect(index)
        act(.log(.info, "a stream ended: \(error)"))
        if stream.kind == .evaluations, error.code == .unauthorized || error.code == .forbidden {
            return refused(error)
        }
        if isFinal(error) {
            refusedStreams.insert(stream.url)
            removeStream(slot: stream.slot)
            act(.log(.warning, "a stream is not available (\(error)); doing without it"))
            reconcileStreams()
            checkLink()
            renewAddress(of: stream, error)
            return updatePolling()
        }
        let isStable = stream.openedAt.map { now.uptime - $0 >= settings.stableStream } ?? false
        let attempt = isStable ? 0 : stream.attempts
        streams[index].attempts = attempt + 1
        var delay = stream.retryFloor + settings.backoff(attempt: attempt, random: now.random)
        if let retryAfter = error.retryAfter {
            delay = max(delay, retryAfter)
            // Only this asks for fewer requests of any kind; no room for streams still leaves room for polls.
            if stream.kind == .evaluations, error.status == 429 { holdOff(error) }
        }
        schedule(.reconnect(slot: stream.slot), after: delay)
        linkIsDown(error)
        updatePolling()
    }

    /// Asks for the address of a stream of the standard anew when a token in it seems to have run out.
    ///
    /// Once, until a stream opens: a service whose addresses never work must not be asked for ever.
    private mutating func renewAddress(of stream: StreamSlot, _ error: FlagClientError) {
        guard stream.kind == .notices, let status = error.status, [401, 403, 410].contains(status),
            !hasRenewedAddress
        else { return }
        hasRenewedAddress = true
        requestFetch(FetchWish(cause: .push, isUnconditional: true))
    }

    /// Whether trying again would be refused again.
    private func isFinal(_ error: FlagClientError) -> Bool {
        guard let status = error.status else { return error.code == .rejected }
        return status < 500 && status != 408 && status != 425 && status != 429
    }

    /// Gives up a stream.
    mutating func removeStream(slot: Int) {
        guard let index = streams.firstIndex(where: { $0.slot == slot }) else { return }
        disconnect(index)
        cancel(.reconnect(slot: slot))
        streams.remove(at: index)
    }

    private mutating func disconnect(_ index: Int) {
        if let id = streams[index].id { act(.closeStream(id)) }
        streams[index].id = nil
        streams[index].isSynced = false
        cancel(.silence(slot: streams[index].slot))
    }
}
