import FlagLocking

/// Lets calls run one after the other, in the order in which they were made.
final class CallQueue: Sendable {
    private struct State: Sendable {
        var isBusy = false
        var waiting: [CheckedContinuation<Void, Never>] = []

        mutating func begin() -> Bool {
            if isBusy { return false }
            isBusy = true
            return true
        }
    }

    private let state = Lock(State())

    /// Returns when it is the caller's turn, which lasts until ``leave()``.
    func enter() async {
        if state.withLock({ $0.begin() }) { return }
        await withCheckedContinuation { continuation in
            let isNext = state.withLock { state in
                if state.begin() { return true }
                state.waiting.append(continuation)
                return false
            }
            if isNext { continuation.resume() }
        }
    }

    /// Ends the caller's turn.
    func leave() {
        let next = state.withLock { state in
            if state.waiting.isEmpty {
                state.isBusy = false
                return nil as CheckedContinuation<Void, Never>?
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
