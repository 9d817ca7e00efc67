// Public API of Flagstaff has no atomic word; a lock here would make every read wait for every other.
import CFlagAtomics
import FlagLocking

/// The sequences of evaluations.
///
/// Reads ask whether there are any with one load.
final class EvaluationStreams: Sendable {
    /// How many elements wait for a slow reader.
    static let limit = 256

    private struct State: Sendable {
        var streams: [Int: AsyncStream<ConfigEvaluation>.Continuation] = [:]
        var lastID = 0
        var isFinished = false
    }

    private let state = Lock(State())
    private let count = CountWord()

    /// Whether somebody listens.
    @inline(__always)
    var isObserved: Bool { flag_load_acquire(count.word) != 0 }

    /// The evaluations from now on.
    func listen() -> AsyncStream<ConfigEvaluation> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.limit)) { continuation in
            let id: Int? = state.withLock { state in
                if state.isFinished { return nil }
                state.lastID += 1
                state.streams[state.lastID] = continuation
                flag_store_release(count.word, UInt64(state.streams.count))
                return state.lastID
            }
            guard let id else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in self?.remove(id) }
        }
    }

    private func remove(_ id: Int) {
        state.withLock { state in
            state.streams[id] = nil
            flag_store_release(count.word, UInt64(state.streams.count))
        }
    }

    /// Tells of an evaluation.
    func publish(_ evaluation: ConfigEvaluation) {
        state.withLock { state in
            for stream in state.streams.values { stream.yield(evaluation) }
        }
    }

    /// Ends all sequences, also those that are still to be made.
    func finish() {
        let streams = state.withLock { state in
            defer { state.streams = [:] }
            state.isFinished = true
            flag_store_release(count.word, 0)
            return state.streams
        }
        // Outside the lock, which their ends take.
        for stream in streams.values { stream.finish() }
    }

    /// A word in memory for atomic access.
    private final class CountWord: @unchecked Sendable {
        // Unchecked, as the compiler knows nothing of the memory behind the pointer: it lives as long as this object,
        // and is touched by atomic operations alone.
        let word: UnsafeMutablePointer<UInt64>

        init() {
            word = .allocate(capacity: 1)
            word.initialize(to: 0)
        }

        deinit { word.deallocate() }
    }
}
