import FlagModel
import Testing

@testable import Flagstaff

/// What ends the stop after a refusal.
@Suite struct ClientMachineRefusalTests {
    private func stopped(_ policy: FlagRefusalPolicy) -> MachineHarness {
        var harness = MachineHarness(contextSwitch: .dropAtOnce) { $0.refusal = policy }
        harness.change(to: "one")
        harness.answer(Answers.fresh(["a": 1]))
        harness.refresh()
        harness.answer(Answers.failure(403))
        #expect(harness.machine.status.connection == .stopped)
        return harness
    }

    @Test func refreshAloneDoesWhereThePolicySaysSo() {
        var harness = stopped(.stopUntilRefresh)
        let change = harness.change(to: "two")
        #expect(harness.outcome(change)?.error?.code == .forbidden)
        #expect(harness.machine.context.targetingKey == "two")
        #expect(harness.values.isEmpty)
        let calls = [harness.change(to: "two"), harness.resume()]
        for call in calls { #expect(harness.outcome(call)?.kind == .failed) }
        harness.send(.foreground)
        harness.send(.discard)
        harness.advance(by: 86400)
        #expect(harness.fetches.count == 2)

        let refresh = harness.refresh()
        #expect(harness.fetches.last?.context.targetingKey == "two")
        harness.answer(Answers.fresh(["a": 2]))
        #expect(harness.outcome(refresh) == .fresh)
        // Changes ask again from then on.
        harness.change(to: "three")
        #expect(harness.fetches.count == 4)
    }

    @Test func storedValuesOfAContextAreServedMeanwhile() {
        var harness = MachineHarness(contextSwitch: .cachedElseDefaults) {
            $0.refusal = .stopUntilRefresh
            $0.hasCache = true
        }
        harness.change(to: "one")
        harness.found(nil)
        harness.answer(Answers.failure(401))
        harness.change(to: "two")
        harness.found(["a": 2])
        #expect(harness.values == ["a": 2])
        #expect(harness.fetches.count == 1)
    }

    @Test func changeOfContextDoesByDefault() {
        var harness = stopped(.stop)
        harness.change(to: "two")
        #expect(harness.fetches.count == 3)
    }

    @Test func unknownPolicyActsAsStop() {
        #expect(stopped(FlagRefusalPolicy(rawValue: "of a later version")).timers.isEmpty)
    }
}
