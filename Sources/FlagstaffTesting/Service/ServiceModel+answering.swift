import FlagModel
import Flagstaff

extension ServiceModel {
    /// A request has arrived: answers it, or keeps it.
    mutating func receive(_ exchange: MemoryExchange, from client: ClientNumber) {
        lastRequest += 1
        let request = TestRequest(exchange, number: lastRequest, client: client)
        requests.append(request)
        let pending = HeldExchange(exchange: exchange, client: client, request: request)
        if exchange.isStream {
            clients[client]?.streams[exchange.id] = StreamRecord(exchange: exchange, context: request.context)
        }
        if isOffline { return fail(pending, with: .network) }
        if let kind = request.kinds.sorted(by: { $0.rawValue < $1.rawValue }).first(where: { arms[$0] != nil }
        ),
            let arm = arms.removeValue(forKey: kind)
        {
            switch arm {
            case .hold: held.append(pending)
            case .fail(let fault): fail(pending, with: fault)
            }
        } else if answerDelay > 0, !exchange.isStream {
            delay(pending)
        } else {
            answer(pending)
        }
    }

    /// Answers a request as the service is now.
    mutating func answer(_ pending: HeldExchange) {
        if isOffline { return fail(pending, with: .network) }
        if pending.exchange.isStream {
            if let streamFault { return fail(pending, with: streamFault) }
            return accept(pending)
        }
        if let fault { return fail(pending, with: fault) }
        guard let context = pending.request.context else {
            let status = pending.request.kinds.contains(.telemetry) ? 202 : 404
            return give(
                .answer(status: status, headers: ["Content-Type": "application/json"], body: "{}"),
                to: pending)
        }
        let served = served(to: context)
        var headers = ["ETag": served.etag]
        // Noted before the client hears of it, though nothing can come between.
        clients[pending.client]?.answered = served
        if pending.request.headers["if-none-match"] == served.etag {
            pending.exchange.answer(304, headers)
        } else {
            headers["Content-Type"] = "application/json"
            let evaluation = served.evaluation(announcing: announcedStreams)
            pending.exchange.answer(200, headers, JSONWriter.bytes(of: evaluation.json))
        }
    }

    /// Lets a request fail.
    mutating func fail(_ pending: HeldExchange, with fault: TestFault) {
        if pending.exchange.isStream { removeStream(pending.exchange.id, of: pending.client) }
        give(fault, to: pending)
    }

    private mutating func give(_ answer: TestFault, to pending: HeldExchange) {
        let exchange = pending.exchange
        let give: @Sendable () -> Void = {
            switch answer.form {
            case .network:
                exchange.send(.ended(FlagTransportError(kind: .network, message: "there is no network")))
            case .answer(let status, let headers, let body):
                exchange.answer(status, headers, Array(body.utf8))
            }
        }
        if pending.request.kinds.isDisjoint(with: [.telemetry, .other]) {
            give()
        } else {
            answers.append(give)
        }
    }

    /// Answers a request after the service's delay, by the client's clock.
    private mutating func delay(_ pending: HeldExchange) {
        var pending = pending
        let number = pending.request.number
        pending.timer = clients[pending.client]?.time.schedule(after: answerDelay) { [weak service] in
            service?.answerDelayed(number)
        }
        held.append(pending)
    }

    /// Takes the requests that wait for the test.
    mutating func takeHeld(_ kind: TestRequest.Kind) -> [HeldExchange] {
        let isMeant = { (pending: HeldExchange) in
            pending.timer == nil && pending.request.kinds.contains(kind)
        }
        defer { held.removeAll(where: isMeant) }
        return held.filter(isMeant)
    }

    /// The client's side is through with a request.
    mutating func forget(_ exchange: MemoryExchange, of client: ClientNumber) {
        let isMeant = { (pending: HeldExchange) in
            pending.client == client && pending.exchange.id == exchange.id
        }
        for pending in held where isMeant(pending) { pending.timer?.cancel() }
        held.removeAll(where: isMeant)
        removeStream(exchange.id, of: client)
    }

    /// A client is closed.
    mutating func removeClient(_ number: ClientNumber) {
        for id in (clients[number]?.streams ?? [:]).keys { removeStream(id, of: number) }
        for pending in held where pending.client == number { pending.timer?.cancel() }
        held.removeAll { $0.client == number }
        clients[number] = nil
    }
}
