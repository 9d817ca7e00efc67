import FlagLocking
import Foundation

/// Brings what is for the service to an endpoint that answers, with the headers of the moment.
///
/// Requests are made for the first endpoint. One whose answer is collected goes on to the next endpoint where it fails,
/// as ``EndpointOrder`` says, all within its idle time-out, and its caller sees one request. A stream is opened once, at
/// the endpoint that gave the last answer with flags. What is for other origins passes through as it is.
final class EndpointTransport: FlagTransport {
    typealias Answer = Result<FlagTransportResponse, FlagTransportError>

    /// A request whose answer is awaited.
    private struct Attempt: Sendable {
        let request: FlagTransportRequest
        /// What comes after an endpoint.
        let path: String
        /// Until when it may take.
        let deadline: Double
        let completion: @Sendable (Answer) -> Void
        /// The endpoints to ask still.
        var remaining: ArraySlice<Int>
        /// The endpoint that is being asked.
        var endpoint: Int
        /// The number of the request to it.
        var leg: Int
        var timer: (any ScheduledTimer)?

        /// Whether an answer to this request announces streams, or says that those announced still hold.
        func isAnnounced(by answer: Answer) -> Bool {
            guard case .success(let response) = answer else { return false }
            return path.hasPrefix("/ofrep/") && (response.head.status == 200 || response.head.status == 304)
        }
    }

    /// A request to one endpoint.
    private struct Leg: Sendable {
        let number: Int
        let request: FlagTransportRequest
        /// When to give it up for the next one; `nil` for the last.
        let limit: Double?
    }

    private struct State: Sendable {
        var order: EndpointOrder
        var attempts: [Int: Attempt] = [:]
        /// Legs after the first have numbers that no caller uses.
        var lastNumber = Int.min
        /// Names of provided headers that were left out, which is logged once.
        var faultyNames: Set<String> = []
    }

    private let base: any FlagTransport
    private let service: ServiceAddress
    private let provider: (@Sendable () -> [String: String])?
    private let time: any TimeSource
    private let logger: any FlagLogger
    private let state: Lock<State>

    /// Puts what a configuration asks for in front of a transport; gives the transport itself where that is nothing.
    static func wrapping(
        _ base: any FlagTransport, _ service: ServiceAddress, _ configuration: FlagClientConfiguration,
        time: any TimeSource
    ) -> any FlagTransport {
        if service.endpoints.count == 1, configuration.headerProvider == nil { return base }
        return EndpointTransport(base, service, configuration, time: time)
    }

    /// Makes a transport on top of another, which belongs to it from then on.
    init(
        _ base: any FlagTransport, _ service: ServiceAddress, _ configuration: FlagClientConfiguration,
        time: any TimeSource
    ) {
        self.base = base
        self.service = service
        self.time = time
        provider = configuration.headerProvider
        logger = configuration.logger
        state = Lock(State(order: EndpointOrder(count: service.endpoints.count)))
    }

    func send(_ request: FlagTransportRequest, id: Int, completion: @escaping @Sendable (Answer) -> Void) {
        guard let path = service.first.path(of: request.url) else {
            return base.send(withHeaders(request), id: id, completion: completion)
        }
        let request = withHeaders(request)
        if service.endpoints.count == 1 { return base.send(request, id: id, completion: completion) }
        let now = time.now().uptime
        let leg = state.withLock { state in
            let order = state.order.attempt(at: now)
            let attempt = Attempt(
                request: request, path: String(path), deadline: now + request.idleTimeout,
                completion: completion, remaining: order.dropFirst(), endpoint: order[0], leg: id)
            state.attempts[id] = attempt
            return makeLeg(of: attempt, rest: request.idleTimeout)
        }
        begin(leg, of: id)
    }

    func open(
        _ request: FlagTransportRequest, id: Int, receive: @escaping @Sendable (FlagTransportSignal) -> Void
    ) {
        var request = withHeaders(request)
        if Origin(request.url) == service.first.origin {
            let endpoint = service.endpoints[state.withLock { $0.order.announcing }]
            request.url = endpoint.moved(request.url) ?? request.url
        }
        base.open(request, id: id, receive: receive)
    }

    func cancel(_ id: Int) {
        guard let attempt = state.withLock({ $0.attempts.removeValue(forKey: id) }) else {
            return base.cancel(id)
        }
        base.cancel(attempt.leg)
        end(attempt, .failure(FlagTransportError(kind: .cancelled, message: "the request was cut")))
    }

    func close() {
        let attempts = state.withLock { state in
            defer { state.attempts = [:] }
            return state.attempts.values
        }
        base.close()
        for attempt in attempts {
            end(attempt, .failure(FlagTransportError(kind: .cancelled, message: "the client is closed")))
        }
    }

    // MARK: Legs

    private func makeLeg(of attempt: Attempt, rest: Double) -> Leg {
        let isLast = attempt.remaining.isEmpty
        let limit = EndpointOrder.limit(rest: rest, isLast: isLast)
        var request = attempt.request
        // Both parts are valid, and so is the whole.
        request.url = URL(string: service.endpoints[attempt.endpoint].base + attempt.path) ?? request.url
        request.idleTimeout = limit
        return Leg(number: attempt.leg, request: request, limit: isLast ? nil : limit)
    }

    private func begin(_ leg: Leg, of id: Int) {
        base.send(leg.request, id: leg.number) { self.finish(leg.number, of: id, $0) }
        // Silence is not all: an answer that comes in drops must not take all the time either.
        let timer = leg.limit.map { limit in
            time.schedule(after: limit) { [weak self] in self?.giveUp(leg.number, of: id) }
        }
        let isCurrent = state.withLock { state in
            guard state.attempts[id]?.leg == leg.number else { return false }
            state.attempts[id]?.timer = timer
            return true
        }
        if isCurrent { return }
        timer?.cancel()
        // It may have been cut before it was sent.
        base.cancel(leg.number)
    }

    private func giveUp(_ number: Int, of id: Int) {
        let error = FlagTransportError(kind: .timedOut, message: "the service did not answer in time")
        finish(number, of: id, .failure(error))
        base.cancel(number)
    }

    /// A request to an endpoint is over, or given up: its attempt ends with it, or goes on to the next endpoint.
    private func finish(_ number: Int, of id: Int, _ answer: Answer) {
        let now = time.now().uptime
        let verdict = EndpointOrder.Verdict(answer)
        let (former, next): (Attempt?, Leg?) = state.withLock { state in
            guard var attempt = state.attempts.removeValue(forKey: id) else { return (nil, nil) }
            guard attempt.leg == number else {
                state.attempts[id] = attempt
                return (nil, nil)
            }
            let former = attempt
            state.order.note(verdict, of: attempt.endpoint, at: now)
            if attempt.isAnnounced(by: answer) { state.order.noteAnnouncement(of: attempt.endpoint) }
            let rest = attempt.deadline - now
            guard verdict == .failed, rest > 0, let endpoint = attempt.remaining.popFirst() else {
                return (former, nil)
            }
            state.lastNumber += 1
            attempt.endpoint = endpoint
            attempt.leg = state.lastNumber
            attempt.timer = nil
            state.attempts[id] = attempt
            return (former, makeLeg(of: attempt, rest: rest))
        }
        guard let former else { return }
        if let next {
            former.timer?.cancel()
            begin(next, of: id)
        } else {
            end(former, answer)
        }
    }

    private func end(_ attempt: Attempt, _ answer: Answer) {
        attempt.timer?.cancel()
        attempt.completion(answer)
    }

    // MARK: Headers

    /// The request with the app's headers of the moment, where it goes to an endpoint's own origin.
    private func withHeaders(_ request: FlagTransportRequest) -> FlagTransportRequest {
        guard let provider, let origin = Origin(request.url), service.isOwn(origin) else { return request }
        var request = request
        let faults = ServiceHeaders.merge(
            provider(), over: &request.headers, keepsSelector: service.selectsFlagSets)
        for fault in faults {
            let isNew = state.withLock { state in
                state.faultyNames.count < 64 && state.faultyNames.insert(fault.name).inserted
            }
            guard isNew, logger.level <= .warning else { continue }
            logger.log(.warning, "a header of `headerProvider` is left out: \(fault.problem)")
        }
        return request
    }
}
