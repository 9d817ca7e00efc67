import FlagModel
import Testing

@testable import Flagstaff

@Suite struct ClientMachinePolicyTests {
    // MARK: Layers

    @Test func bootstrapValuesAreInEffectBeforeAndBelowTheServices() {
        var harness = MachineHarness { $0.bootstrap = ["a": 10, "b": 20] }
        #expect(harness.values == ["a": 10, "b": 20])
        #expect(harness.machine.visible.origin(of: "a") == .bootstrap)
        #expect(!harness.machine.visible.isReady)
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.values == ["a": 1, "b": 20])
        #expect(harness.machine.visible.origin(of: "a") == .network)
        #expect(harness.machine.visible.origin(of: "b") == .bootstrap)
        #expect(harness.events.last { $0.kind == .changed }?.changedKeys == ["a"])
    }

    @Test func overridesWinOverAllAndGoWithoutATrace() {
        var harness = MachineHarness(.manual) { $0.bootstrap = ["b": 20] }
        harness.send(.override(["a": 7, "b": 8, "c": 9]))
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.values == ["a": 7, "b": 8, "c": 9])
        #expect(harness.machine.visible.origin(of: "a") == .override)
        // The service's change is hidden, and nobody is told.
        let events = harness.events.count
        harness.refresh()
        harness.answer(Answers.fresh(["a": 2], etag: "e2"))
        #expect(!harness.events.dropFirst(events).contains { $0.kind == .changed })
        harness.send(.override(["b": 8]))
        #expect(harness.values == ["a": 2, "b": 8])
        #expect(harness.events.last == FlagEvent(kind: .changed, changedKeys: ["a", "c"], cause: .override))
        harness.send(.override([:]))
        #expect(harness.values == ["a": 2, "b": 20])
    }

    @Test func overridesOutliveAChangeOfContext() {
        var harness = MachineHarness(contextSwitch: .dropAtOnce)
        harness.change(to: "one")
        harness.answer(Answers.fresh(["a": 1]))
        harness.send(.override(["a": 7]))
        harness.change(to: "two")
        #expect(harness.values == ["a": 7])
    }

    @Test func versionsGrowWithEveryChangeThatCanBeSeen() {
        var harness = MachineHarness { $0.bootstrap = ["b": 1] }
        harness.send(.override(["a": 1]))
        harness.change(to: "one")
        harness.answer(Answers.fresh(["a": 2]))
        harness.send(.override([:]))
        harness.change(to: "two")
        harness.answer(Answers.fresh(["a": 3]))
        let versions = harness.snapshots.map(\.version)
        #expect(versions == versions.sorted() && Set(versions).count == versions.count)
    }

    // MARK: Changes of context

    @Test func severalChangesInARowMakeOneRequest() {
        var harness = MachineHarness(contextSwitch: .dropAtOnce) { $0.contextChangeDelay = 0.25 }
        harness.change(to: "anonymous")
        // The first context is not waited with.
        #expect(harness.fetches.count == 1)
        harness.answer(Answers.fresh(["a": 1]))
        let calls = (0..<5).map { index in
            let call = harness.change(to: "user-\(index)")
            harness.advance(by: 0.1)
            return call
        }
        #expect(harness.values.isEmpty)
        #expect(harness.fetches.count == 1)
        harness.advance(by: 0.2)
        #expect(harness.fetches.count == 2)
        #expect(harness.fetches.last?.context == FlagContext(key: "user-4"))
        harness.answer(Answers.fresh(["a": 4]))
        for call in calls.dropLast() { #expect(harness.outcome(call) == .superseded) }
        #expect(harness.outcome(calls[4]) == .fresh)
        #expect(harness.values == ["a": 4])
    }

    @Test func changesWithoutEndDoNotPutTheRequestOffForEver() {
        var harness = MachineHarness { $0.contextChangeDelay = 0.25 }
        harness.change(to: "one")
        harness.answer(Answers.fresh(["a": 1]))
        for number in 0..<11 {
            harness.change(to: "user-\(number)")
            harness.advance(by: 0.1)
        }
        #expect(harness.fetches.count == 2)
    }

    @Test func callIsBoundedWhileChangesAreWaitedFor() {
        var harness = MachineHarness { $0.contextChangeDelay = 10 }
        harness.change(to: "one")
        harness.answer(Answers.fresh(["a": 1]))
        let call = harness.change(to: "two", timeout: 2)
        harness.advance(by: 2)
        #expect(harness.outcome(call)?.kind == .timedOut)
        harness.advance(by: 8)
        #expect(harness.fetches.count == 2)
    }

    @Test func theOrderOfAPayloadsEventsIsAlwaysTheSame() {
        var harness = MachineHarness()
        harness.change(to: "one")
        harness.answer(Answers.fresh(["a": 1, "b": 1]))
        harness.change(to: "two")
        let id = harness.fetchID ?? 0
        let order = harness.send(.fetched(id, Answers.fresh(["a": 2]))).compactMap { action in
            switch action {
            case .store: "store"
            case .emit(let event): event.kind.rawValue
            case .complete: "complete"
            default: nil
            }
        }
        #expect(order == ["store", "contextChanged", "received", "changed", "complete"])
        let received = harness.events.last { $0.kind == .received }
        #expect(received?.receivedKeys == ["a"])
        #expect(received?.isWhole == true)
        #expect(received?.cause == .contextChange)
        // The other context had it; that this one lacks it is no removal.
        #expect(received?.removedKeys == [])
    }

    @Test func partialPayloadsNameWhatTheyBrought() {
        var harness = MachineHarness()
        harness.startStreaming(["a": 1, "b": 1])
        harness.deliver(Answers.patch(["a": 2], etag: "e2"))
        let received = harness.events.last { $0.kind == .received }
        #expect(received?.receivedKeys == ["a"])
        #expect(received?.isWhole == false)
        #expect(received?.cause == .push)
    }

    // MARK: Refusals

    @Test(arguments: [401, 403, 404])
    func refusedClientCanGoOnSlowly(status: Int) {
        var harness = MachineHarness { $0.refusal = .slowDown }
        let call = harness.change(to: "user")
        var errors = 0
        for round in 0..<5 {
            let actions = harness.answer(Answers.failure(status))
            errors += actions.filter { if case .log(.error, _) = $0 { true } else { false } }.count
            #expect(harness.machine.phase == .running, "round \(round)")
            #expect((250...350).contains(harness.due(.fetch) ?? 0))
            harness.advance(by: harness.due(.fetch) ?? 0)
        }
        #expect(harness.outcome(call)?.error?.status == status)
        #expect(errors == 1)
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.values == ["a": 1])
    }

    // MARK: Refreshing under changes

    @Test func refreshEndsAlsoWhereValuesChangeFasterThanARoundTrip() {
        var harness = MachineHarness()
        harness.startStreaming()
        let refresh = harness.refresh(timeout: .infinity)
        for round in 2..<20 where harness.outcome(refresh) == nil {
            if harness.streams.count > 1 { break }
            harness.deliver(Answers.patch(["a": .int(Int64(round))], etag: "e\(round)"))
            harness.answer(
                Answers.fresh(["a": 1], etag: "late-\(round)", streams: [Answers.evaluationsStream]))
        }
        // The stream was opened anew after the call; what it begins with is new enough.
        #expect(harness.streams.count == 2)
        harness.deliver(
            .opened, .evaluations(.put(etag: "e30", evaluation: Answers.evaluation(["a": 30])), id: nil))
        #expect(harness.outcome(refresh) == .fresh)
        #expect(harness.values == ["a": 30])
    }
}
