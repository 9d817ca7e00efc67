import FlagModel
import Flagstaff

extension ServiceModel {
    /// Opens a stream: says what the client has to know to be up to date.
    mutating func accept(_ pending: HeldExchange) {
        let (id, client) = (pending.exchange.id, pending.client)
        guard clients[client]?.streams[id] != nil else { return }
        clients[client]?.streams[id]?.isOpen = true
        let early = clients[client]?.early
        clients[client]?.early = nil
        beat(id, of: client)
        let accepted = FlagTransportHead(status: 200, headers: ["Content-Type": "text/event-stream"])
        guard let context = pending.request.context else { return pending.exchange.send(.head(accepted)) }
        let served = served(to: context)
        clients[client]?.streams[id]?.served = served
        pending.exchange.send(.head(accepted))
        if let early, early.id == id {
            // The client has had its first message; it may have missed something since.
            if early.served.etag != served.etag {
                send(message(from: early.served, to: served, [], false), on: pending.exchange)
            }
        } else if pending.request.headers["if-none-match"] == served.etag {
            send(.current(etag: served.etag), on: pending.exchange)
        } else {
            let evaluation = served.evaluation(announcing: announcedStreams)
            send(.put(etag: served.etag, evaluation: evaluation), on: pending.exchange)
        }
    }

    /// Tells every client that is connected what is served now.
    ///
    /// - Parameters:
    ///   - touched: The flags that were set, to be named also where they did not change.
    ///   - isWhole: Whether to send all flags in place of those that changed.
    mutating func push(touched: Set<String> = [], isWhole: Bool = false) {
        if isOffline { return }
        for number in clients.keys.sorted() { push(to: number, touched, isWhole) }
    }

    private mutating func push(to number: ClientNumber, _ touched: Set<String>, _ isWhole: Bool) {
        guard let client = clients[number], let core = client.core else { return }
        for stream in client.streams.values where stream.isOpen && stream.context == nil {
            let notice = ServerSentEvent(data: RefetchNotice(etag: "\(version)").data, id: "\(version)")
            stream.exchange.send(.bytes(notice.bytes))
        }
        guard let connection = core.evaluationsConnection else { return }
        let now = served(to: connection.context)
        if let stream = client.streams[connection.id] {
            guard let former = stream.served else { return }
            clients[number]?.streams[connection.id]?.served = now
            send(message(from: former, to: now, touched, isWhole), on: stream.exchange)
        } else if canOpenStreams {
            // The client has its answer, and a thread is about to open the stream: the answer is not the last word.
            if let early = client.early, early.id == connection.id {
                core.receive([message(from: early.served, to: now, touched, isWhole)], on: connection.id)
            } else if let answered = client.answered, let etag = connection.etag, answered.etag == etag {
                let next = message(from: answered, to: now, touched, isWhole)
                core.receive([.current(etag: etag), next], on: connection.id)
            } else {
                let evaluation = now.evaluation(announcing: announcedStreams)
                core.receive([.put(etag: now.etag, evaluation: evaluation)], on: connection.id)
            }
            clients[number]?.early = (connection.id, now)
        }
    }

    /// Whether a stream that is opened now would be accepted.
    private var canOpenStreams: Bool { !isOffline && streamFault == nil && arms[.stream] == nil }

    private func message(
        from former: Served, to now: Served, _ touched: Set<String>, _ isWhole: Bool
    ) -> EvaluationsMessage {
        if isWhole { return .put(etag: now.etag, evaluation: now.evaluation(announcing: announcedStreams)) }
        let changed = now.resolutions.values.filter { resolution in
            touched.contains(resolution.key) || former.resolutions[resolution.key] != resolution
        }
        let removed = former.resolutions.keys.filter { now.resolutions[$0] == nil }
        return .patch(
            etag: now.etag, changed: changed.sorted { $0.key < $1.key }, removed: removed.sorted(),
            metadata: now.metadata == former.metadata ? nil : now.metadata)
    }

    private func send(_ message: EvaluationsMessage, on exchange: MemoryExchange) {
        exchange.send(.bytes(message.event(id: "\(version)").bytes))
    }

    // MARK: The life of a stream

    /// Ends all streams.
    mutating func endStreams(_ fault: TestFault) {
        for (number, client) in clients {
            for (id, stream) in client.streams where stream.isOpen {
                removeStream(id, of: number)
                let isCut = fault.form == .network
                let error = FlagTransportError(kind: .network, message: "the connection broke")
                stream.exchange.send(.ended(isCut ? error : nil))
            }
        }
    }

    /// Lets go of a stream.
    mutating func removeStream(_ id: Int, of client: ClientNumber) {
        clients[client]?.streams.removeValue(forKey: id)?.heartbeat?.cancel()
    }

    /// Sets the timer of a stream's next sign of life.
    private mutating func beat(_ id: Int, of client: ClientNumber) {
        guard let heartbeatInterval, let time = clients[client]?.time else { return }
        clients[client]?.streams[id]?.heartbeat = time.schedule(after: heartbeatInterval) { [weak service] in
            service?.heartbeat(id, of: client)
        }
    }

    /// Gives a sign of life.
    mutating func heartbeat(_ id: Int, of client: ClientNumber) {
        guard let stream = clients[client]?.streams[id], stream.isOpen else { return }
        stream.exchange.send(.bytes(ServerSentEvent.comment("heartbeat")))
        beat(id, of: client)
    }
}
