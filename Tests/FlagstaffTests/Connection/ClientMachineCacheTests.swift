import FlagModel
import Testing

@testable import Flagstaff

@Suite struct ClientMachineCacheTests {
    private func harness(
        _ sync: FlagSyncMode = .streaming, contextSwitch: FlagContextSwitchPolicy = .keepUntilReplaced,
        change: (inout ConnectionSettings) -> Void = { _ in }
    ) -> MachineHarness {
        MachineHarness(sync, contextSwitch: contextSwitch) { settings in
            settings.hasCache = true
            change(&settings)
        }
    }

    @Test func storedValuesAreServedBeforeTheServiceAnswers() {
        var harness = harness()
        let call = harness.change(to: "user")
        #expect(harness.searches.map(\.context) == [FlagContext(key: "user")])
        #expect(harness.openFetches.isEmpty)
        harness.found(["a": 1])
        #expect(harness.values == ["a": 1])
        #expect(harness.machine.visible.origin(of: "a") == .cache)
        #expect(harness.events.map(\.kind) == [.ready, .cached])
        #expect(harness.outcome(call) == nil)
        #expect(harness.fetches.count == 1)
        harness.answer(Answers.fresh(["a": 2]))
        #expect(harness.outcome(call) == .fresh)
        #expect(harness.machine.visible.origin(of: "a") == .network)
        #expect(harness.events.last { $0.kind == .changed }?.changedKeys == ["a"])
    }

    @Test func whatStoredValuesChangeOnTopOfBuiltInOnesIsSaid() {
        var harness = harness { $0.bootstrap = ["a": 0, "b": 0] }
        harness.change(to: "user")
        harness.found(["a": 1])
        #expect(harness.values == ["a": 1, "b": 0])
        #expect(harness.events.map(\.kind) == [.ready, .cached, .changed])
        #expect(harness.events.last?.changedKeys == ["a"])
    }

    @Test func storedValuesCanBeEnough() {
        var harness = harness { $0.startRequirement = .cached }
        let call = harness.change(to: "user")
        harness.found(["a": 1])
        #expect(harness.outcome(call) == .cached)
        // The service has not said a word.
        #expect(harness.machine.status.connection == .connecting)
        let refresh = harness.refresh()
        #expect(harness.outcome(refresh) == nil)
        harness.answer(Answers.fresh(["a": 2], etag: "e1"))
        harness.answer(.notModified)
        #expect(harness.outcome(refresh) == .fresh)
    }

    @Test func storedValuesInEffectAreEnoughForASecondStart() {
        var harness = harness { $0.startRequirement = .cached }
        harness.change(to: "user")
        harness.found(["a": 1])
        let second = harness.change(to: "user")
        #expect(harness.outcome(second) == .cached)
        // It asks all the same, once the request under way is over.
        harness.answer(Answers.fresh(["a": 2]))
        #expect(harness.fetches.count == 2)
        harness.answer(Answers.fresh(["a": 2]))
        // From then on there is the service's word to wait for.
        let third = harness.change(to: "user")
        #expect(harness.outcome(third) == nil)
        harness.answer(Answers.fresh(["a": 3]))
        #expect(harness.outcome(third) == .fresh)
    }

    @Test func withoutStoredValuesTheFirstFetchBeginsAtOnce() {
        var harness = harness()
        harness.change(to: "user")
        harness.found(nil)
        #expect(harness.fetches.count == 1)
        #expect(harness.due(.cacheLimit) == nil)
        #expect(harness.events.isEmpty)
    }

    @Test func diskThatHangsHoldsTheFetchBackForAMomentOnly() {
        var harness = harness()
        harness.change(to: "user")
        harness.advance(by: 0.25)
        #expect(harness.fetches.count == 1)
        // Late, and still better than nothing.
        harness.found(["a": 1])
        #expect(harness.values == ["a": 1])
        harness.answer(Answers.fresh(["a": 2]))
        #expect(harness.values == ["a": 2])
    }

    @Test func storedValuesNeverReplaceTheServices() {
        var harness = harness()
        harness.change(to: "user")
        harness.advance(by: 0.25)
        harness.answer(Answers.fresh(["a": 2]))
        harness.found(["a": 1])
        #expect(harness.values == ["a": 2])
    }

    @Test func storedValuesOfAFormerContextArePassedOver() {
        var harness = harness()
        harness.change(to: "one")
        let first = harness.searches[0]
        harness.change(to: "two")
        harness.send(.cacheLoaded(first.id, harness.stored(["a": 1], etag: nil, context: first.context)))
        #expect(harness.values.isEmpty)
        // What is wrong on the disk under the right name neither.
        harness.send(
            .cacheLoaded(harness.searches[1].id, harness.stored(["a": 1], etag: nil, context: first.context)))
        #expect(harness.values.isEmpty)
        #expect(harness.fetches.last?.context == FlagContext(key: "two"))
    }

    @Test(arguments: [
        Answers.failure(500), Answers.failure(429, retryAfter: "10"), Answers.failure(401),
        .failure(Answers.networkFailure),
    ])
    func failuresNeverClearStoredValues(failure: FetchResult) {
        var harness = harness()
        harness.change(to: "user")
        harness.found(["a": 1])
        harness.answer(failure)
        #expect(harness.values == ["a": 1])
        #expect(harness.machine.visible.isReady)
    }

    @Test func emptySetOfTheServiceReplacesStoredValues() {
        var harness = harness()
        harness.change(to: "user")
        harness.found(["a": 1])
        harness.answer(Answers.fresh([:]))
        #expect(harness.values.isEmpty)
        #expect(harness.events.last { $0.kind == .received }?.removedKeys == ["a"])
    }

    @Test func firstAnswerToAStreamingClientIsAskedForWhole() {
        // "Not modified" would not say where the streams are.
        var streaming = harness()
        streaming.change(to: "user")
        streaming.found(["a": 1], etag: "c1")
        #expect(streaming.fetches.last?.etag == nil)

        var polling = harness(.polling(every: 30))
        polling.change(to: "user")
        polling.found(["a": 1], etag: "c1")
        #expect(polling.fetches.last?.etag == "c1")
        polling.answer(.notModified)
        #expect(polling.values == ["a": 1])
        #expect(polling.machine.visible.origin(of: "a") == .network)
    }

    @Test func theServicesValuesAreStoredAndNothingElse() {
        var harness = harness(contextSwitch: .cachedElseDefaults) { $0.bootstrap = ["b": 1] }
        harness.change(to: "one")
        harness.found(["a": 1])
        #expect(harness.saved.isEmpty)
        harness.send(.override(["a": 9]))
        harness.answer(Answers.fresh(["a": 2], etag: "e1", streams: [Answers.evaluationsStream]))
        harness.deliver(
            .opened, .evaluations(.current(etag: "e1"), id: nil), Answers.patch(["a": 3], etag: "e2"))
        #expect(harness.saved.last?.resolutions.compactMapValues(\.value) == ["a": 3])
        let count = harness.saved.count
        harness.change(to: "two")
        #expect(harness.saved.count == count)
    }

    @Test func anotherContextsStoredValuesTakeOverFromTheFormers() {
        for policy: FlagContextSwitchPolicy in [.keepUntilReplaced, .cachedElseDefaults] {
            var harness = harness(contextSwitch: policy)
            harness.change(to: "one")
            harness.found(nil)
            harness.answer(Answers.fresh(["a": 1]))
            harness.change(to: "two")
            #expect(harness.values == (policy == .cachedElseDefaults ? [:] : ["a": 1]))
            harness.found(["a": 2])
            #expect(harness.values == ["a": 2])
            #expect(!harness.machine.visible.isStale)
            #expect(harness.events.last?.changedKeys == ["a"])
            harness.answer(Answers.fresh(["a": 3]))
            #expect(harness.values == ["a": 3])
        }
    }

    @Test func formerValuesDroppedAtOnceAreNotReplacedByStoredOnes() {
        var harness = harness(contextSwitch: .dropAtOnce)
        harness.change(to: "one")
        harness.found(["a": 1])
        harness.change(to: "two")
        #expect(harness.searches.count == 1)
        #expect(harness.values.isEmpty)
        #expect(!harness.machine.visible.isReady)
    }

    @Test func pausedClientStillServesStoredValues() {
        var harness = harness()
        harness.send(.pause(.app))
        let call = harness.change(to: "user")
        #expect(harness.outcome(call) == .paused)
        harness.found(["a": 1])
        #expect(harness.values == ["a": 1])
        #expect(harness.fetches.isEmpty)
    }
}
