/// Who watches which flag, who is told of all changes and who listens to events.
///
/// Yields happen inside the client's lock, right after new values are stored, so that all see all changes in one
/// order. What runs code of others comes out of the calls, to be done after the lock is released: the callbacks to
/// schedule, and with ``removeAll()`` the streams to finish, as that takes the lock again.
struct WatcherHub: Sendable {
    typealias WatcherID = Int

    /// How many events wait for a slow listener.
    static let eventLimit = 256

    /// Who is told of a flag's changes.
    enum Watcher: Sendable {
        case stream(AsyncStream<FlagSnapshot>.Continuation)
        case callback(FlagCallback<FlagChange>)
    }

    /// Who is told of all changes.
    enum Observer: Sendable {
        case stream(ChangeBox)
        case callback(FlagCallback<FlagChange>)
    }

    /// Who is told of events.
    enum Listener: Sendable {
        case stream(AsyncStream<FlagEvent>.Continuation)
        case callback(FlagCallback<FlagEvent>)
    }

    private var watchers: [String: [WatcherID: Watcher]] = [:]
    private var observers: [WatcherID: Observer] = [:]
    private var listeners: [WatcherID: Listener] = [:]
    private var lastID = 0

    /// How many watchers, observers and listeners there are.
    var count: Int { watchers.values.reduce(observers.count + listeners.count) { $0 + $1.count } }

    private mutating func nextID() -> WatcherID {
        lastID += 1
        return lastID
    }

    /// Adds a watcher of a flag.
    mutating func addWatcher(of key: String, _ watcher: Watcher) -> WatcherID {
        let id = nextID()
        watchers[key, default: [:]][id] = watcher
        return id
    }

    /// Adds an observer of all changes.
    mutating func addObserver(_ observer: Observer) -> WatcherID {
        let id = nextID()
        observers[id] = observer
        return id
    }

    /// Adds a listener to events.
    mutating func addListener(_ listener: Listener) -> WatcherID {
        let id = nextID()
        listeners[id] = listener
        return id
    }

    /// Forgets a watcher.
    mutating func removeWatcher(_ id: WatcherID, of key: String) {
        watchers[key]?[id] = nil
        if watchers[key]?.isEmpty == true { watchers[key] = nil }
    }

    /// Forgets an observer.
    mutating func removeObserver(_ id: WatcherID) {
        observers[id] = nil
    }

    /// Forgets a listener.
    mutating func removeListener(_ id: WatcherID) {
        listeners[id] = nil
    }

    /// Tells of new values those whom the change concerns; returns the callbacks to schedule.
    func yield(_ change: FlagChange) -> [any PendingCallback] {
        if change.changedKeys.isEmpty || watchers.isEmpty && observers.isEmpty { return [] }
        var pending: [any PendingCallback] = []
        for key in change.changedKeys {
            for watcher in watchers[key, default: [:]].values {
                switch watcher {
                case .stream(let continuation): continuation.yield(change.snapshot)
                case .callback(let callback): if callback.post(change) { pending.append(callback) }
                }
            }
        }
        for observer in observers.values {
            switch observer {
            case .stream(let box): box.put(change)
            case .callback(let callback): if callback.post(change) { pending.append(callback) }
            }
        }
        return pending
    }

    /// Gives an event to all listeners; returns the callbacks to schedule.
    func yield(_ event: FlagEvent) -> [any PendingCallback] {
        var pending: [any PendingCallback] = []
        for listener in listeners.values {
            switch listener {
            case .stream(let continuation): continuation.yield(event)
            case .callback(let callback): if callback.post(event) { pending.append(callback) }
            }
        }
        return pending
    }

    /// Forgets everyone and returns what ends their sequences and callbacks.
    mutating func removeAll() -> Endings {
        let endings = Endings(
            watchers: watchers.values.flatMap(\.values), observers: Array(observers.values),
            listeners: Array(listeners.values))
        watchers = [:]
        observers = [:]
        listeners = [:]
        return endings
    }

    /// Sequences and callbacks that are to end.
    struct Endings: Sendable {
        let watchers: [Watcher]
        let observers: [Observer]
        let listeners: [Listener]

        /// Ends them; what they were told before is still delivered.
        func finish() {
            for watcher in watchers {
                switch watcher {
                case .stream(let continuation): continuation.finish()
                case .callback(let callback): callback.finish()
                }
            }
            for observer in observers {
                switch observer {
                case .stream(let box): box.finish()
                case .callback(let callback): callback.finish()
                }
            }
            for listener in listeners {
                switch listener {
                case .stream(let continuation): continuation.finish()
                case .callback(let callback): callback.finish()
                }
            }
        }
    }
}
