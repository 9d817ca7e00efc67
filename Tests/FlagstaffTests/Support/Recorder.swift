import FlagLocking
@testable import Flagstaff

/// Collects what callbacks say, and lets a test wait for as many of them as it expects.
final class Recorder<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var elements: [Element] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Lock(State())

    /// What was said so far.
    var elements: [Element] { state.withLock { $0.elements } }

    /// Takes one more.
    func record(_ element: Element) {
        let ready = state.withLock { state in
            state.elements.append(element)
            let ready = state.waiters.filter { $0.count <= state.elements.count }
            state.waiters.removeAll { $0.count <= state.elements.count }
            return ready.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// Waits until there are so many, and returns them.
    func first(_ count: Int) async -> [Element] {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.elements.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
        return Array(elements.prefix(count))
    }

    /// Waits for the n-th, counted from 0.
    subscript(index: Int) -> Element {
        get async { await first(index + 1)[index] }
    }
}
