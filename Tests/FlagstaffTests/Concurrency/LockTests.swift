import FlagLocking
import Testing

@testable import Flagstaff

@Suite struct LockTests {
    @Test func countsExactlyUnderContention() async {
        let counter = Lock(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<10_000 { counter.withLock { $0 += 1 } } }
            }
        }
        #expect(counter.withLock { $0 } == 80_000)
    }

    @Test func isReleasedWhenTheBodyThrows() {
        struct Fault: Error {}
        let lock = Lock(1)
        #expect(throws: Fault.self) { try lock.withLock { _ in throw Fault() } }
        #expect(lock.withLock { $0 } == 1)
    }
}
