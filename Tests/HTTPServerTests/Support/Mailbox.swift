import FlagLocking
import Dispatch

@testable import HTTPServer

/// Values from other threads, waited for without sleeping.
final class Mailbox<Value: Sendable>: Sendable {
    private let values = Lock<[Value]>([])
    private let available = DispatchSemaphore(value: 0)

    /// Adds a value.
    func put(_ value: Value) {
        values.withLock { $0.append(value) }
        available.signal()
    }

    /// The oldest value, or nil when none comes in time.
    func take(seconds: Int = 30) async -> Value? {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "test.mailbox").async { [self] in
                let isThere = available.wait(timeout: .now() + .seconds(seconds)) == .success
                continuation.resume(returning: isThere ? values.withLock { $0.removeFirst() } : nil)
            }
        }
    }

    /// How many values wait to be taken.
    var count: Int { values.withLock { $0.count } }
}
