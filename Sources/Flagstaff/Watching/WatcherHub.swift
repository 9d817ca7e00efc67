/// Who watches which flag and who listens to events.
///
/// Yields happen inside the client's lock, right after new values are stored, so that all watchers see all changes
/// in one order. Finishing runs code of the stream that takes the lock again, so ``removeAll()`` hands the streams
/// out to be finished after it is released.
struct WatcherHub: Sendable {
    typealias WatcherID = Int

    private var watchers: [String: [WatcherID: AsyncStream<FlagSnapshot>.Continuation]] = [:]
    private var listeners: [WatcherID: AsyncStream<FlagEvent>.Continuation] = [:]
    private var lastID = 0

    /// How many watchers and listeners there are.
    var count: Int { watchers.values.reduce(listeners.count) { $0 + $1.count } }

    /// Adds a watcher of a flag.
    mutating func addWatcher(of key: String, _ continuation: AsyncStream<FlagSnapshot>.Continuation)
        -> WatcherID
    {
        lastID += 1
        watchers[key, default: [:]][lastID] = continuation
        return lastID
    }

    /// Adds a listener to events.
    mutating func addListener(_ continuation: AsyncStream<FlagEvent>.Continuation) -> WatcherID {
        lastID += 1
        listeners[lastID] = continuation
        return lastID
    }

    /// Forgets a watcher.
    mutating func removeWatcher(_ id: WatcherID, of key: String) {
        watchers[key]?[id] = nil
        if watchers[key]?.isEmpty == true { watchers[key] = nil }
    }

    /// Forgets a listener.
    mutating func removeListener(_ id: WatcherID) {
        listeners[id] = nil
    }

    /// Gives a snapshot to the watchers of the flags that changed with it.
    func yield(_ snapshot: FlagSnapshot, changedKeys: [String]) {
        if watchers.isEmpty { return }
        for key in changedKeys {
            for continuation in watchers[key, default: [:]].values { continuation.yield(snapshot) }
        }
    }

    /// Gives an event to all listeners.
    func yield(_ event: FlagEvent) {
        for continuation in listeners.values { continuation.yield(event) }
    }

    /// Forgets everyone and returns what ends their sequences.
    mutating func removeAll() -> Streams {
        let streams = Streams(watchers: watchers.values.flatMap(\.values), listeners: Array(listeners.values))
        watchers = [:]
        listeners = [:]
        return streams
    }

    /// Sequences that are to end.
    struct Streams: Sendable {
        let watchers: [AsyncStream<FlagSnapshot>.Continuation]
        let listeners: [AsyncStream<FlagEvent>.Continuation]

        /// Ends the sequences; what was yielded before is still delivered.
        func finish() {
            for watcher in watchers { watcher.finish() }
            for listener in listeners { listener.finish() }
        }
    }
}
