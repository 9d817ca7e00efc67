import FlagLocking
import Dispatch
import Testing

@testable import HTTPServer

/// Runs the body several times at once, on threads of their own, and records what it throws.
func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) async {
    let failures = Lock<[any Error]>([])
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let group = DispatchGroup()
        for index in 0..<count {
            DispatchQueue(label: "test.\(index)").async(group: group) {
                do {
                    try body(index)
                } catch {
                    failures.withLock { $0.append(error) }
                }
            }
        }
        group.notify(queue: DispatchQueue(label: "test.end")) { continuation.resume() }
    }
    for failure in failures.withLock({ $0 }) {
        Issue.record(failure)
    }
}
