import FlagModel
import Testing

@testable import Flagstaff

@Suite struct ClientMachineDiscardTests {
    @Test func nothingOfBeforeCanBeReadAndNewValuesAreAskedFor() {
        var harness = MachineHarness(.polling(every: .infinity)) { $0.hasCache = true }
        harness.change(to: "one")
        harness.found(nil)
        harness.answer(Answers.fresh(["a": 1], etag: "e1"))
        harness.send(.discard)
        #expect(harness.values.isEmpty)
        #expect(!harness.machine.status.isReady)
        #expect(harness.cacheClearings == 1)
        #expect(
            harness.events.last == FlagEvent(kind: .changed, changedKeys: ["a"], cause: .contextChange))
        #expect(harness.fetches.count == 2)
        #expect(harness.fetches.last?.etag == nil)
        harness.answer(Answers.fresh(["a": 1], etag: "e1"))
        #expect(harness.values == ["a": 1])
        #expect(harness.events.filter { $0.kind == .ready }.count == 1)
    }

    @Test func contextThatIsSetRightAfterwardsMakesTheSameRequest() {
        var harness = MachineHarness { $0.contextChangeDelay = 0.25 }
        harness.change(to: "one")
        harness.answer(Answers.fresh(["a": 1]))
        harness.send(.discard)
        let call = harness.change(to: "two")
        harness.advance(by: 0.3)
        #expect(harness.fetches.map(\.context.targetingKey) == ["one", "two"])
        harness.answer(Answers.fresh(["a": 2]))
        #expect(harness.outcome(call) == .fresh)
        harness.advance(by: 20)
        #expect(harness.fetches.count == 2)
    }

    @Test func whatIsUnderWayIsNotUsed() {
        var harness = MachineHarness(.polling(every: .infinity)) { $0.hasCache = true }
        let call = harness.change(to: "one")
        harness.found(nil)
        let first = harness.fetchID ?? 0
        harness.send(.discard)
        harness.send(.fetched(first, Answers.fresh(["a": 1])))
        #expect(harness.values.isEmpty)
        #expect(harness.saved.isEmpty)
        harness.answer(Answers.fresh(["a": 2]))
        #expect(harness.outcome(call) == .fresh)
    }

    @Test func storedValuesThatWereLookedForBeforeAreNotServed() {
        var harness = MachineHarness { $0.hasCache = true }
        harness.change(to: "one")
        harness.send(.discard)
        harness.found(["a": 1])
        #expect(harness.values.isEmpty)
        #expect(harness.fetches.count == 1)
    }

    @Test func aStreamBeginsAnew() {
        var harness = MachineHarness()
        harness.startStreaming()
        harness.send(.discard)
        #expect(harness.openStreams.isEmpty)
        harness.answer(Answers.fresh(["a": 1], streams: [Answers.evaluationsStream]))
        #expect(harness.streams.count == 2)
    }

    @Test func clientThatIsNotAtWorkOnlyForgets() {
        var idle = MachineHarness { $0.hasCache = true }
        idle.send(.discard)
        #expect(idle.cacheClearings == 1 && idle.fetches.isEmpty && idle.events.isEmpty)

        var closed = MachineHarness { $0.hasCache = true }
        closed.change(to: "one")
        closed.found(nil)
        closed.answer(Answers.fresh(["a": 1]))
        closed.send(.close)
        closed.send(.discard)
        #expect(closed.values.isEmpty && closed.cacheClearings == 1 && closed.fetches.count == 1)

        var paused = MachineHarness()
        paused.change(to: "one")
        paused.answer(Answers.fresh(["a": 1]))
        paused.send(.pause(.app))
        paused.send(.discard)
        #expect(paused.values.isEmpty && paused.fetches.count == 1)
        paused.resume()
        #expect(paused.fetches.count == 2)
    }
}
