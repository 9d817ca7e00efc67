import FlagLocking

/// Somebody who wants to know when a config has another value.
protocol ConfigWatching: Sendable {
    /// Looks at the config again.
    func look()
    /// Ends the sequence.
    func finish()
}

/// A sequence of one config's values: evaluates it, and passes on what differs from the value before.
///
/// Evaluating and comparing can be the app's code, so neither happens inside a lock. One thread at a time looks; where
/// there is news meanwhile it looks once more, so the last look is later than the last news, and the sequence ends on the
/// newest value.
final class ConfigWatcher<Value: Equatable & Sendable>: ConfigWatching {
    private struct State: Sendable {
        var last: Value?
        var isLooking = false
        var hasNews = false
    }

    private let state = Lock(State())
    private let continuation: AsyncStream<Value>.Continuation
    private let evaluate: @Sendable () -> Value

    init(_ continuation: AsyncStream<Value>.Continuation, evaluate: @escaping @Sendable () -> Value) {
        self.continuation = continuation
        self.evaluate = evaluate
    }

    func look() {
        let isFree = state.withLock { state in
            if state.isLooking { state.hasNews = true }
            defer { state.isLooking = true }
            return !state.isLooking
        }
        guard isFree else { return }
        repeat {
            let value = evaluate()
            let last = state.withLock { $0.last }
            if last == nil || last != value {
                state.withLock { $0.last = value }
                continuation.yield(value)
            }
        } while goesOn()
    }

    private func goesOn() -> Bool {
        state.withLock { state in
            defer { state.hasNews = false }
            if !state.hasNews { state.isLooking = false }
            return state.hasNews
        }
    }

    func finish() {
        continuation.finish()
    }
}
