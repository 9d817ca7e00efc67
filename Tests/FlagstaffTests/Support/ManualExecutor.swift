import FlagLocking

@testable import Flagstaff

/// An executor in the hand of a test: what is enqueued runs when the test says so, on its thread.
final class ManualExecutor: Sendable {
    private let waiting = Lock<[@Sendable () -> Void]>([])

    /// To be given to a callback.
    var executor: FlagCallbackExecutor {
        FlagCallbackExecutor { [waiting] work in waiting.withLock { $0.append(work) } }
    }

    /// How many closures wait.
    var count: Int { waiting.withLock { $0.count } }

    /// Runs what waits, and what comes of it.
    func run() {
        while let work = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
    }
}

extension MemoryTransport.Stream {
    /// Sends changed values.
    func set(_ values: [String: FlagValue], removed: [String] = []) {
        send(.patch(etag: nil, changed: Answers.resolutions(values), removed: removed, metadata: nil))
    }
}
