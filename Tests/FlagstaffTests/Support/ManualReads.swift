import FlagLocking
import FlagModel

@testable import Flagstaff

/// A counter whose reads a test makes.
final class ManualReads: ReadCounting {
    private struct State: Sendable {
        var reads: [CountedRead] = []
        var drains = 0
        var isCounting = true
        var notify: (@Sendable () -> Void)?
        var isDrained = true
    }

    private let state = Lock(State())
    private let tells: Bool

    /// Makes a counter.
    ///
    /// - Parameter tells: Whether it tells of first reads.
    init(tells: Bool = false) {
        self.tells = tells
    }

    /// How often it was drained.
    var drains: Int { state.withLock { $0.drains } }

    /// Whether it still counts.
    var isCounting: Bool { state.withLock { $0.isCounting } }

    /// Makes reads.
    func read(
        _ key: String = "a", times: UInt64 = 1, context: FlagContext = FlagContext(key: "user")
    ) {
        let notify = state.withLock { state in
            defer { state.isDrained = false }
            state.reads.append(
                CountedRead(
                    key: key, variant: "on", reason: .static, isDefault: false, context: context, count: times
                ))
            return state.isDrained ? state.notify : nil
        }
        notify?()
    }

    func drain() -> [CountedRead] {
        state.withLock { state in
            defer { state.reads = [] }
            state.drains += 1
            state.isDrained = true
            return state.reads
        }
    }

    func notifyOfFirstRead(_ body: @escaping @Sendable () -> Void) -> Bool {
        if tells { state.withLock { $0.notify = body } }
        return tells
    }

    func stopCounting() {
        state.withLock { $0.isCounting = false }
    }
}
