import FlagLocking

/// Tells those who wait that something has changed, so that they look again.
///
/// Waiting is by continuation: no polling, and no change can slip through between looking and waiting.
final class ChangeSignal: Sendable {
    private struct Slot: Sendable {
        var continuation: CheckedContinuation<Void, Never>?
        var end: WaitEnd?
    }

    private enum WaitEnd: Sendable {
        case expired
        case cancelled
    }

    private struct State: Sendable {
        var generation = 0
        var lastID = 0
        var slots: [Int: Slot] = [:]
    }

    private let state = Lock(State())

    /// Something has changed: everyone who waits looks again.
    func notify() {
        let continuations = state.withLock { state in
            state.generation += 1
            var continuations: [CheckedContinuation<Void, Never>] = []
            for id in state.slots.keys {
                guard let continuation = state.slots[id]?.continuation else { continue }
                state.slots[id]?.continuation = nil
                continuations.append(continuation)
            }
            return continuations
        }
        for continuation in continuations { continuation.resume() }
    }

    /// Looks, and looks again after each change, until there is something or the time is up.
    ///
    /// - Parameters:
    ///   - what: What is waited for, for the error.
    ///   - limit: For how many seconds at most.
    ///   - look: Gives what is waited for, or `nil`.
    /// - Returns: What `look` gave.
    /// - Throws: ``TestTimeout`` when the time is up, `CancellationError` when the task is cancelled.
    func value<Value>(
        _ what: String, within limit: Double, _ look: () -> Value?
    ) async throws -> Value {
        if let value = look() { return value }
        let id = state.withLock { state in
            state.lastID += 1
            state.slots[state.lastID] = Slot()
            return state.lastID
        }
        // Written so that a number that is none does not wait.
        let nanoseconds = limit > 0 ? UInt64(min(limit, 86400) * 1e9) : 0
        let limiter = Task.detached { [weak self] in
            try? await Task.sleep(nanoseconds: nanoseconds)
            if !Task.isCancelled { self?.end(id, .expired) }
        }
        defer {
            limiter.cancel()
            state.withLock { _ = $0.slots.removeValue(forKey: id) }
        }
        while true {
            let generation = state.withLock { $0.generation }
            if let value = look() { return value }
            switch await change(after: generation, id) {
            case nil: continue
            case .expired:
                if let value = look() { return value }
                throw TestTimeout(what: what, limit: limit)
            case .cancelled: throw CancellationError()
            }
        }
    }

    private func change(after generation: Int, _ id: Int) async -> WaitEnd? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.generation != generation || state.slots[id]?.end != nil { return true }
                    state.slots[id]?.continuation = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            end(id, .cancelled)
        }
        return state.withLock { $0.slots[id]?.end }
    }

    private func end(_ id: Int, _ end: WaitEnd) {
        let continuation: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard state.slots[id] != nil, state.slots[id]?.end == nil else { return nil }
            state.slots[id]?.end = end
            defer { state.slots[id]?.continuation = nil }
            return state.slots[id]?.continuation
        }
        continuation?.resume()
    }
}
