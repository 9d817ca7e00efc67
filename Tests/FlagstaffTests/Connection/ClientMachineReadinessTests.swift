import FlagModel
import Testing

@testable import Flagstaff

@Suite struct ClientMachineReadinessTests {
    @Test func timeIsUpWhateverTheNetworkDoes() {
        var harness = MachineHarness()
        let call = harness.awaitValues(timeout: 3)
        harness.change(to: "one", timeout: 60)
        harness.advance(by: 2.9)
        #expect(harness.outcome(call) == nil)
        harness.advance(by: 0.2)
        #expect(harness.outcome(call)?.kind == .timedOut)
    }

    @Test func failuresChangesAndPausesDoNotEndTheWait() {
        var harness = MachineHarness(contextSwitch: .dropAtOnce)
        let call = harness.awaitValues(timeout: 100)
        harness.change(to: "one")
        harness.answer(Answers.failure(500))
        harness.change(to: "two")
        harness.send(.pause(.app))
        harness.resume()
        #expect(harness.outcome(call) == nil)
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.outcome(call) == .cached)
    }

    @Test func storedValuesAreEnough() {
        var harness = MachineHarness { $0.hasCache = true }
        let call = harness.awaitValues(timeout: 100)
        harness.change(to: "one")
        harness.found(["a": 1])
        #expect(harness.outcome(call) == .cached)
    }

    @Test func storedValuesAreNotFresh() {
        var harness = MachineHarness { $0.hasCache = true }
        let call = harness.awaitValues(timeout: 100, takesCached: false)
        harness.change(to: "one")
        harness.found(["a": 1])
        #expect(harness.outcome(call) == nil)
        let late = harness.awaitValues(timeout: 100, takesCached: false)
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.outcome(call) == .cached)
        #expect(harness.outcome(late) == .cached)
        let after = harness.awaitValues(timeout: 100, takesCached: false)
        #expect(harness.outcome(after) == .cached)
    }

    @Test func refusalEndsTheWait() {
        var harness = MachineHarness()
        let call = harness.awaitValues(timeout: 100)
        harness.change(to: "one")
        harness.answer(Answers.failure(401))
        #expect(harness.outcome(call)?.error?.code == .unauthorized)
        let late = harness.awaitValues(timeout: 100)
        #expect(harness.outcome(late)?.kind == .failed)
    }

    @Test func waitingAsksForNothing() {
        var harness = MachineHarness(.manual)
        harness.awaitValues(timeout: 100)
        #expect(harness.fetches.isEmpty)
        let call = harness.change(to: "one")
        harness.answer(Answers.failure(500))
        #expect(harness.outcome(call)?.kind == .failed)
        harness.advance(by: 50)
        #expect(harness.fetches.count == 1)
    }
}
