import Dispatch
import FlagLocking
import Flagstaff

/// The listeners of a client: called on one queue, in order.
final class Listeners: Sendable {
    /// A listener, which need not be `Sendable`.
    ///
    /// Unchecked: it is called on the queue alone.
    private struct Listener: @unchecked Sendable {
        let object: any SplitEventListener

        var id: ObjectIdentifier { ObjectIdentifier(object) }
    }

    private struct State: Sendable {
        var readiness: Readiness
        var listeners: [Listener] = []
    }

    private let state: Lock<State>
    private let queue = DispatchQueue(label: "flagstaff.splitthin.events")

    /// Makes the listeners of a client for that context.
    init(_ context: FlagContext) {
        state = Lock(State(readiness: Readiness(context)))
    }

    /// Changes what the client has told of, and tells what comes of it.
    func update(_ change: (inout Readiness) -> [Readiness.News]) {
        state.withLock { state in
            let news = change(&state.readiness)
            for listener in state.listeners { enqueue(news, to: listener) }
        }
    }

    /// Whether the client has been ready.
    var isReady: Bool { state.withLock { $0.readiness.isReady } }

    func add(_ object: any SplitEventListener) {
        let listener = Listener(object: object)
        state.withLock { state in
            guard !state.readiness.isDestroyed, !state.listeners.contains(where: { $0.id == listener.id })
            else { return }
            state.listeners.append(listener)
            // Inside the lock, so that nothing newer comes before it.
            enqueue(state.readiness.past, to: listener)
        }
    }

    func remove(_ object: any SplitEventListener) {
        let id = ObjectIdentifier(object)
        let removed = state.withLock { state in
            defer { state.listeners.removeAll { $0.id == id } }
            return state.listeners
        }
        // Let go of outside the lock.
        withExtendedLifetime(removed) {}
    }

    func removeAll() {
        let removed = state.withLock { state in
            state.readiness.destroy()
            defer { state.listeners = [] }
            return state.listeners
        }
        withExtendedLifetime(removed) {}
    }

    private func enqueue(_ news: [Readiness.News], to listener: Listener) {
        if news.isEmpty { return }
        queue.async { [weak self] in
            for item in news {
                // What was queued is not delivered to who has been removed.
                let isThere = self?.state.withLock { $0.listeners.contains { $0.id == listener.id } } ?? false
                guard isThere else { return }
                switch item {
                case .readyFromCache(let metadata): listener.object.onReadyFromCache(metadata)
                case .ready(let metadata): listener.object.onReady(metadata)
                case .timedOut: listener.object.onReadyTimedOut()
                case .update(let metadata): listener.object.onUpdate(metadata)
                }
            }
        }
    }
}
