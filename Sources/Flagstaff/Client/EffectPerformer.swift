import FlagLocking

/// Something to do outside the client's lock.
enum Effect: Sendable {
    /// Streams, timers and log messages.
    case perform(ClientAction)
    /// Ask for all flags, on behalf of calls with these purposes.
    case fetch(Int, FetchRequest, for: Set<RequestPurpose>)
    /// Let a waiting call return.
    case resume(CheckedContinuation<FlagUpdateOutcome, Never>, FlagUpdateOutcome)
    /// Let callbacks run that have something to deliver.
    case wake([any PendingCallback])
    /// Tell when all values are stored that were to be.
    case flushCache(@Sendable () -> Void)
    /// End sequences and callbacks, and the transport.
    case finish(WatcherHub.Endings)
    /// Lets telemetry follow; done by the client itself.
    case report(TelemetryEvent)

    /// Whether it runs the app's callbacks.
    var tells: Bool {
        if case .wake = self { true } else { false }
    }

    /// Whether it ends a call or a sequence, after which nothing is told any more.
    var ends: Bool {
        switch self {
        case .resume, .finish: true
        case .perform, .fetch, .wake, .flushCache, .report: false
        }
    }
}

/// Does what the life cycle decided: the one place where a client touches the network, timers and the logger.
///
/// Called by one thread at a time; what it starts reports back through the closure that comes with each effect.
final class EffectPerformer: Sendable {
    typealias Report = @Sendable (ClientEvent) -> Void

    private let service: ServiceAddress
    private let settings: ConnectionSettings
    private let transport: any FlagTransport
    private let time: any TimeSource
    private let cache: (any SnapshotKeeping)?
    private let logger: any FlagLogger
    /// Whether nobody else has anything to send when all else is over.
    private let ownsTransport: Bool
    private let timers = Lock<[ClientTimer: SetTimer]>([:])

    /// A timer that was set and has not fired.
    private struct SetTimer: Sendable {
        let token: Int
        /// `nil` for the moment between its entry and its setting.
        var scheduled: (any ScheduledTimer)?
    }

    /// How many timers are set, for tests.
    var timerCount: Int { timers.withLock { $0.count } }

    init(
        service: ServiceAddress, settings: ConnectionSettings, transport: any FlagTransport,
        time: any TimeSource, cache: (any SnapshotKeeping)? = nil, logger: any FlagLogger,
        ownsTransport: Bool = true
    ) {
        self.service = service
        self.settings = settings
        self.transport = transport
        self.time = time
        self.cache = cache
        self.logger = logger
        self.ownsTransport = ownsTransport
    }

    deinit {
        transport.close()
    }

    /// Does one thing; what comes of it is reported later, or at once.
    func perform(_ effect: Effect, report: @escaping Report) {
        switch effect {
        case .resume(let call, let outcome):
            call.resume(returning: outcome)
        case .flushCache(let completion):
            guard let cache else { return completion() }
            cache.flush(completion)
        case .wake(let callbacks):
            for callback in callbacks { callback.schedule() }
        case .finish(let endings):
            endings.finish()
            if ownsTransport { transport.close() }
        case .perform(let action):
            perform(action, report)
        case .fetch(let id, let fetch, let purposes):
            send(fetch, id, purposes, report)
        case .report:
            break
        }
    }

    private func perform(_ action: ClientAction, _ report: @escaping Report) {
        switch action {
        case .openStream(let id, let stream):
            open(stream, id, report)
        case .cancelFetch(let id), .closeStream(let id):
            transport.cancel(id)
        case .schedule(let timer, let token, let delay):
            set(timer, token, delay, report)
        case .cancelTimer(let timer):
            timers.withLock { $0.removeValue(forKey: timer) }?.scheduled?.cancel()
        case .log(let level, let message):
            if level >= logger.level { logger.log(level, message) }
        case .loadCache(let id, let context):
            guard let cache else { return report(.cacheLoaded(id, nil)) }
            cache.load(for: context) { found in report(.cacheLoaded(id, found)) }
        case .saveCache(let snapshot):
            cache?.save(snapshot)
        case .clearCache:
            cache?.removeAll()
        case .store, .emit, .complete, .fetch, .finish:
            break
        }
    }

    private func set(_ timer: ClientTimer, _ token: Int, _ delay: Double, _ report: @escaping Report) {
        // Entered before it is set, as it can fire at once; then it finds its entry to remove.
        let former = timers.withLock { $0.updateValue(SetTimer(token: token), forKey: timer) }
        former?.scheduled?.cancel()
        let scheduled = time.schedule(after: delay) { [timers] in
            timers.withLock { timers in
                if timers[timer]?.token == token { timers[timer] = nil }
            }
            report(.timer(timer, token: token))
        }
        timers.withLock { timers in
            if timers[timer]?.token == token { timers[timer]?.scheduled = scheduled }
        }
    }

    private func send(
        _ fetch: FetchRequest, _ id: Int, _ purposes: Set<RequestPurpose>, _ report: @escaping Report
    ) {
        guard var request = service.request(for: fetch, timeout: settings.requestTimeout) else {
            let error = FlagClientError(
                code: .invalidConfiguration, message: "the endpoint makes no valid address")
            return report(.fetched(id, .failure(ServiceFailure(error: error))))
        }
        request.purposes = purposes
        transport.send(request, id: id) { result in report(.fetched(id, FetchResult(result))) }
    }

    private func open(_ stream: StreamRequest, _ id: Int, _ report: @escaping Report) {
        // The life cycle ends a silent stream itself; the transport's own limit is the net below it.
        let idleTimeout = settings.silence(of: stream.kind) + 15
        guard let request = service.request(for: stream, idleTimeout: idleTimeout) else {
            let error = FlagClientError(
                code: .rejected, message: "an announced stream has no address that may be used")
            return report(.stream(id, [.ended(ServiceFailure(error: error))]))
        }
        let reader = Lock(StreamReader(kind: stream.kind, lastEventID: stream.lastEventID))
        transport.open(request, id: id) { signal in
            let inputs = reader.withLock { $0.receive(signal) }
            if !inputs.isEmpty { report(.stream(id, inputs)) }
        }
    }
}
