import FlagLocking
import Flagstaff

/// Ends a listener: see ``AbrovaFlags/addListener(_:)``.
///
/// The listener goes on where nobody keeps the token.
public final class AbrovaFlagsToken: Sendable {
    private let id: Int
    private let listeners: Listeners

    init(id: Int, listeners: Listeners) {
        self.id = id
        self.listeners = listeners
    }

    /// Ends the listener.
    ///
    /// Called on the main thread, the listener hears nothing any more once this returns. Calling it again does nothing.
    public func cancel() {
        listeners.remove(id)
    }
}

/// The listeners of a client, each with what keeps it registered.
final class Listeners: Sendable {
    private struct State: Sendable {
        var tokens: [Int: FlagToken] = [:]
        var lastID = 0
    }

    private let state = Lock(State())

    /// How many there are, for tests.
    var count: Int { state.withLock { $0.tokens.count } }

    /// Keeps a listener registered and returns its number.
    func add(_ token: FlagToken) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.tokens[state.lastID] = token
            return state.lastID
        }
    }

    /// Ends a listener.
    func remove(_ id: Int) {
        state.withLock { $0.tokens.removeValue(forKey: id) }?.cancel()
    }

    /// Forgets the listeners of a client that is closed: what is on its way to them still arrives.
    func removeAll() {
        let tokens = state.withLock { state in
            defer { state.tokens = [:] }
            return state.tokens
        }
        withExtendedLifetime(tokens) {}
    }
}
