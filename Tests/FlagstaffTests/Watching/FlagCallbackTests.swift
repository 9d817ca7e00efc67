import FlagLocking
import Foundation
import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(2))) struct FlagCallbackTests {
    private func queue(
        on executor: FlagCallbackExecutor, _ body: @escaping @Sendable (Int) -> Void
    ) -> FlagCallback<Int> {
        FlagCallback(on: executor, admit: { $0.append($1) }, body)
    }

    @Test func waitsOnItsExecutorOnceHoweverMuchIsPosted() {
        let manual = ManualExecutor()
        let calls = Recorder<Int>()
        let callback = queue(on: manual.executor) { calls.record($0) }
        #expect(callback.post(1))
        callback.schedule()
        for number in 2...100 { #expect(!callback.post(number)) }
        #expect(manual.count == 1)
        manual.run()
        #expect(calls.elements == Array(1...100))
        #expect(callback.post(101))
    }

    @Test func givesWayToOthersOnItsExecutor() {
        let manual = ManualExecutor()
        let calls = Recorder<Int>()
        let callback = queue(on: manual.executor) { calls.record($0) }
        for number in 1...65 where callback.post(number) { callback.schedule() }
        manual.executor.enqueue?({ calls.record(-1) })
        manual.run()
        #expect(calls.elements == Array(1...64) + [-1, 65])
    }

    @Test func keepsTheOrderOnAConcurrentQueue() async {
        let calls = Recorder<Int>()
        let callback = queue(on: .queue(.global())) { calls.record($0) }
        for number in 0..<2000 where callback.post(number) { callback.schedule() }
        #expect(await calls.first(2000) == Array(0..<2000))
    }

    @Test func callsOneAfterTheOtherWithSeveralPosters() async {
        let inside = Lock(0)
        let calls = Recorder<Int>()
        let callback = queue(on: .immediate) { number in
            let depth = inside.withLock { inside in
                inside += 1
                return inside
            }
            #expect(depth == 1)
            inside.withLock { $0 -= 1 }
            calls.record(number)
        }
        await withTaskGroup(of: Void.self) { group in
            for poster in 0..<4 {
                group.addTask {
                    for number in 0..<500 where callback.post(poster * 500 + number) { callback.schedule() }
                }
            }
        }
        let all = await calls.first(2000)
        #expect(all.sorted() == Array(0..<2000))
        for poster in 0..<4 {
            let own = all.filter { $0 / 500 == poster }
            #expect(own == own.sorted())
        }
    }

    @Test func cancellingDropsWhatWaitsAndLetsGoOfTheBody() {
        let manual = ManualExecutor()
        let calls = Recorder<Int>()
        weak var captured: Captured?
        let callback = queue(on: manual.executor, recordingIn: calls, capturing: &captured)
        if callback.post(1) { callback.schedule() }
        #expect(captured != nil)
        callback.cancel()
        #expect(captured == nil)
        manual.run()
        #expect(calls.elements.isEmpty)
        #expect(!callback.post(2))
    }

    @Test func cancellingFromWithinEndsTheCallsAtOnce() {
        let calls = Recorder<Int>()
        let box = Lock<FlagCallback<Int>?>(nil)
        let manual = ManualExecutor()
        let callback = queue(on: manual.executor) { number in
            calls.record(number)
            box.withLock { $0 }?.cancel()
        }
        box.withLock { $0 = callback }
        for number in 1...3 where callback.post(number) { callback.schedule() }
        manual.run()
        #expect(calls.elements == [1])
    }

    @Test func finishingDeliversTheRestAndThenLetsGoOfTheBody() {
        let manual = ManualExecutor()
        let calls = Recorder<Int>()
        weak var captured: Captured?
        let callback = queue(on: manual.executor, recordingIn: calls, capturing: &captured)
        if callback.post(1) { callback.schedule() }
        callback.finish()
        #expect(!callback.post(2))
        #expect(captured != nil)
        manual.run()
        #expect(calls.elements == [1])
        #expect(captured == nil)
    }

    private final class Captured: Sendable {}

    /// A queue whose body alone keeps an object alive.
    private func queue(
        on executor: FlagCallbackExecutor, recordingIn calls: Recorder<Int>,
        capturing captured: inout Captured?
    ) -> FlagCallback<Int> {
        let object = Captured()
        captured = object
        return queue(on: executor) { [object] number in
            withExtendedLifetime(object) { calls.record(number) }
        }
    }
}
