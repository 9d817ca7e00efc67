import FlagLocking
import Flagstaff

/// What a client's connection is doing, and who is told of it.
///
/// Events are yielded inside the lock, so that all sequences have them in one order; watchers look after it is released.
final class ClientHub: Sendable {
    private struct State: Sendable {
        var connection = ConnectionState()
        var events: [Int: AsyncStream<ClientEvent>.Continuation] = [:]
        var watchers: [Int: (key: String, watcher: any ConfigWatching)] = [:]
        var lastID = 0
    }

    private let state = Lock(State())
    private let logger: any ConfigDirectorLogger
    private let timeout: TimeInterval
    private let flags: FlagClient

    init(_ flags: FlagClient, timeout: TimeInterval, logger: any ConfigDirectorLogger) {
        self.flags = flags
        self.timeout = timeout
        self.logger = logger
    }

    // MARK: Calls

    /// What there is to know of the connection.
    var connection: ConnectionState { state.withLock { $0.connection } }

    /// Whether the values of the context in effect are here, and which context that is.
    ///
    /// Values can be read a moment before their event is handled, where another thread is about to do that.
    var standing: (isReady: Bool, context: ConfigDirectorContext?) {
        let connection = connection
        // Before anything was received, values can only be those of the first attempt, begun or about to.
        let first = connection.hasReceived ? nil : connection.upcoming
        guard !connection.isReady, !connection.isClosed, let attempt = connection.attempt ?? first,
            let baseline = attempt.baseline
        else { return (connection.isReady, connection.context) }
        let snapshot = flags.snapshot
        guard snapshot.isReady, !snapshot.isStale, snapshot.version > baseline else {
            return (false, connection.context)
        }
        return (true, attempt.context?.context ?? connection.context)
    }

    /// Changes the connection's account and tells what comes of it.
    @discardableResult
    func update<Result>(_ change: (inout ConnectionState) -> (Result, ConnectionState.News)) -> Result {
        let (result, news, watchers) = state.withLock { state in
            let (result, news) = change(&state.connection)
            for event in news.events {
                for stream in state.events.values { stream.yield(event) }
            }
            let watchers = state.watchers.values.filter { news.keys?.contains($0.key) ?? true }
            return (result, news, watchers.map(\.watcher))
        }
        if news.pauses { flags.pause() }
        for watcher in watchers { watcher.look() }
        if let message = news.log { log(message) }
        return result
    }

    /// Changes the connection's account and tells what comes of it.
    func update(_ change: (inout ConnectionState) -> ConnectionState.News) {
        update { ((), change(&$0)) }
    }

    private func log(_ message: ConnectionState.News.Message) {
        switch message {
        case .interrupted:
            logger.warn(
                "no config values within \(timeout) s: reads go on giving former values or defaults, and the "
                    + "client keeps trying to connect")
        case .refused(let error):
            logger.error("the service refuses this client: check the key and the address", error: error)
        }
    }

    /// Takes an event of the native client.
    func receive(_ event: FlagEvent) {
        switch event.kind {
        case .reconnecting:
            update { $0.begun() }
        case .received:
            update { $0.received(event.receivedKeys, gone: event.removedKeys, isWhole: event.isWhole) }
        case .connected:
            update { $0.connected(version: flags.snapshot.version) }
        case .paused:
            update { $0.paused(version: flags.snapshot.version) }
        case .resumed:
            update { state in
                state.resumed()
                return ConnectionState.News()
            }
        case .stopped:
            let error =
                event.error.map(ConfigDirectorError.init) ?? .connectionFailed(message: "", statusCode: nil)
            update { $0.stopped(error) }
        default:
            break
        }
    }

    // MARK: Sequences

    /// The events from now on.
    func listen() -> AsyncStream<ClientEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(EvaluationStreams.limit)) { continuation in
            let id: Int? = state.withLock { state in
                if state.connection.isClosed { return nil }
                state.lastID += 1
                state.events[state.lastID] = continuation
                return state.lastID
            }
            guard let id else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.events[id] = nil }
            }
        }
    }

    /// A config's values: the present one, then each other.
    func watch<Value: Equatable & Sendable>(
        _ key: String, _ evaluate: @escaping @Sendable () -> Value
    ) -> AsyncStream<Value> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let watcher = ConfigWatcher(continuation, evaluate: evaluate)
            // Entered before the first look, so that no change is missed between the two.
            let id: Int? = state.withLock { state in
                if state.connection.isClosed { return nil }
                state.lastID += 1
                state.watchers[state.lastID] = (key, watcher)
                return state.lastID
            }
            watcher.look()
            guard let id else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                let removed = self?.state.withLock { $0.watchers.removeValue(forKey: id) }
                // Let go of outside the lock.
                withExtendedLifetime(removed) {}
            }
        }
    }

    /// Ends all sequences; `false` where that is done already.
    func close() -> Bool {
        let ended = state.withLock { state -> State? in
            guard state.connection.close() else { return nil }
            defer { (state.events, state.watchers) = ([:], [:]) }
            return state
        }
        guard let ended else { return false }
        // Outside the lock, which their ends take.
        for stream in ended.events.values { stream.finish() }
        for watcher in ended.watchers.values { watcher.watcher.finish() }
        return true
    }
}

extension ConfigDirectorError {
    /// What kept the native client from connecting.
    init(_ error: FlagClientError) {
        self = .connectionFailed(message: error.message, statusCode: error.status)
    }
}
