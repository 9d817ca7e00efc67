import FlagModel
import Testing

@testable import Flagstaff

@Suite struct ClientMachineCallsTests {
    @Test func startReturnsFreshWhenTheValuesAreReadable() {
        var harness = MachineHarness()
        let call = harness.change(to: "user")
        #expect(harness.outcome(call) == nil)
        #expect(harness.fetches == [FetchRequest(context: FlagContext(key: "user"))])
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.outcome(call) == .fresh)
        #expect(harness.values == ["a": 1])
        #expect(harness.events.map(\.kind) == [.ready, .received, .connected])
    }

    @Test func valuesAreStoredBeforeTheCallReturnsAndListenersHear() {
        var harness = MachineHarness()
        harness.change(to: "user")
        let id = harness.fetchID ?? 0
        let order = harness.send(.fetched(id, Answers.fresh(["a": 1]))).compactMap { action in
            switch action {
            case .store: "store"
            case .emit(let event): event.kind.rawValue
            case .complete: "complete"
            default: nil
            }
        }
        #expect(order == ["store", "ready", "received", "connected", "complete"])
    }

    @Test func startIsBoundedByItsTimeoutAndTheAttemptGoesOn() {
        var harness = MachineHarness()
        let call = harness.change(to: "user", timeout: 3)
        harness.advance(by: 2.9)
        #expect(harness.outcome(call) == nil)
        harness.advance(by: 0.2)
        #expect(harness.outcome(call) == .timedOut)
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.values == ["a": 1])
        #expect(harness.outcome(call) == .timedOut)
    }

    @Test func timeoutOfZeroDoesNotWait() {
        var harness = MachineHarness()
        let call = harness.change(to: "user", timeout: 0)
        harness.advance(by: 0)
        #expect(harness.outcome(call) == .timedOut)
        #expect(harness.fetchID != nil)
    }

    @Test func startReturnsWhenTheFirstAttemptFails() {
        var harness = MachineHarness()
        let call = harness.change(to: "user")
        harness.answer(.failure(Answers.networkFailure))
        #expect(harness.outcome(call)?.kind == .failed)
        #expect(harness.outcome(call)?.error?.code == .network)
        harness.advance(by: 1)
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.values == ["a": 1])
        #expect(harness.events.map(\.kind) == [.error, .ready, .received, .connected])
    }

    @Test func overlappingChangesAnsweredInReverseOrderEndWithTheLast() {
        var harness = MachineHarness()
        let first = harness.change(to: "one")
        let firstFetch = harness.fetchID ?? 0
        let second = harness.change(to: "two")
        #expect(harness.outcome(first) == .superseded)
        let secondFetch = harness.fetchID ?? 0
        harness.send(.fetched(secondFetch, Answers.fresh(["who": "two"])))
        harness.send(.fetched(firstFetch, Answers.fresh(["who": "one"])))
        #expect(harness.values == ["who": "two"])
        #expect(harness.outcome(second) == .fresh)
        #expect(harness.machine.snapshot.context == FlagContext(key: "two"))
    }

    @Test func answersToTheFormerContextAreDroppedWhileTheNewOneIsOnItsWay() {
        var harness = MachineHarness()
        harness.change(to: "one")
        let firstFetch = harness.fetchID ?? 0
        let second = harness.change(to: "two")
        harness.send(.fetched(firstFetch, Answers.fresh(["who": "one"])))
        #expect(harness.values.isEmpty)
        #expect(harness.outcome(second) == nil)
    }

    @Test func etagIsForgottenOnChangeOfContextAndKeptOnRefresh() {
        var harness = MachineHarness(.manual)
        harness.change(to: "one")
        harness.answer(Answers.fresh(["a": 1], etag: "\"e1\""))
        harness.refresh()
        #expect(harness.fetches.last?.etag == "\"e1\"")
        harness.answer(.notModified)
        harness.change(to: "two")
        #expect(harness.fetches.last?.etag == nil)
        harness.change(to: "one")
        #expect(harness.fetches.last?.etag == nil)
    }

    @Test func changeOfOneAttributeIsAChangeOfContext() {
        var harness = MachineHarness(.manual)
        harness.change(to: "one")
        harness.answer(Answers.fresh(["a": 1], etag: "e1"))
        let context = FlagContext(key: "one", attributes: ["plan": "pro"])
        harness.send(.change(context, Waiter(id: 99, timeout: 5)))
        #expect(harness.fetches.last == FetchRequest(context: context, etag: nil))
    }

    @Test func sameContextAgainRevalidates() {
        var harness = MachineHarness(.manual)
        harness.change(to: "one")
        harness.answer(Answers.fresh(["a": 1], etag: "e1"))
        let again = harness.change(to: "one")
        #expect(harness.fetches.last?.etag == "e1")
        harness.answer(.notModified)
        #expect(harness.outcome(again) == .fresh)
        #expect(!harness.events.contains { $0.kind == .contextChanging })
    }

    @Test func formerValuesStayMarkedUntilReplaced() {
        var harness = MachineHarness(.manual)
        harness.change(to: "one")
        harness.answer(Answers.fresh(["a": 1, "b": 1]))
        harness.change(to: "two")
        #expect(harness.values == ["a": 1, "b": 1])
        #expect(harness.machine.snapshot.evaluation(of: "a", default: 0).reason == .stale)
        harness.answer(Answers.fresh(["a": 2, "b": 1]))
        #expect(harness.machine.snapshot.evaluation(of: "a", default: 0).reason == .static)
        #expect(harness.changedKeys.last == ["a"])
        #expect(
            harness.events.suffix(4).map(\.kind) == [.contextChanging, .contextChanged, .received, .changed])
    }

    @Test func formerValuesAreDroppedAtOnceWhereAskedFor() {
        var harness = MachineHarness(.manual, contextSwitch: .dropAtOnce)
        harness.change(to: "one")
        harness.answer(Answers.fresh(["a": 1]))
        harness.change(to: "two")
        #expect(harness.values.isEmpty)
        #expect(harness.changedKeys.last == ["a"])
        #expect(harness.machine.snapshot.evaluation(of: "a", default: 0).errorCode == .providerNotReady)
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.values == ["a": 1])
    }

    @Test func anotherChangeBackToTheFirstContextFetchesItAnew() {
        var harness = MachineHarness(.manual)
        harness.change(to: "one")
        harness.answer(Answers.fresh(["a": 1], etag: "e1"))
        harness.change(to: "two")
        let back = harness.change(to: "one")
        #expect(harness.machine.snapshot.isStale)
        harness.answer(Answers.fresh(["a": 2], etag: "e2"))
        #expect(harness.outcome(back) == .fresh)
        #expect(!harness.machine.snapshot.isStale)
        #expect(harness.events.filter { $0.kind == .contextChanged }.count == 1)
    }

    @Test func refreshDuringAFetchWaitsForOneThatStartsLater() {
        var harness = MachineHarness(.manual)
        let start = harness.change(to: "user")
        let first = harness.refresh()
        let second = harness.refresh()
        #expect(harness.fetches.count == 1)
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.outcome(start) == .fresh)
        #expect(harness.outcome(first) == nil)
        #expect(harness.fetches.count == 2)
        harness.answer(Answers.fresh(["a": 2]))
        #expect(harness.outcome(first) == .fresh)
        #expect(harness.outcome(second) == .fresh)
        #expect(harness.fetches.count == 2)
    }

    @Test func refreshBeforeStartSaysWhatToDo() {
        var harness = MachineHarness()
        let call = harness.refresh()
        #expect(harness.outcome(call)?.error?.code == .notStarted)
        #expect(harness.fetches.isEmpty)
    }

    @Test func cancelledCallReturnsAndTheAttemptGoesOn() {
        var harness = MachineHarness()
        let call = harness.change(to: "user")
        harness.send(.abandon(call))
        harness.send(.abandon(call))
        #expect(harness.outcome(call) == .cancelled)
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.values == ["a": 1])
    }

    @Test func closeEndsEverythingOnceAndForGood() {
        var harness = MachineHarness()
        harness.startStreaming()
        let call = harness.refresh()
        let fetch = harness.fetchID ?? 0
        let stream = harness.streamID ?? 0
        harness.send(.close)
        #expect(harness.outcome(call) == .closed)
        #expect(harness.openFetches.isEmpty)
        #expect(harness.openStreams.isEmpty)
        #expect(harness.timers.isEmpty)
        #expect(harness.isFinished)
        #expect(harness.events.last?.kind == .closed)

        #expect(harness.send(.close).isEmpty)
        #expect(harness.send(.fetched(fetch, Answers.fresh(["a": 9]))).isEmpty)
        #expect(harness.send(.stream(stream, [Answers.patch(["a": 9], etag: "e9")])).isEmpty)
        #expect(harness.values == ["a": 1])
        let late = harness.change(to: "other")
        #expect(harness.outcome(late) == .closed)
        let refresh = harness.refresh()
        #expect(harness.outcome(refresh) == .closed)
        #expect(harness.machine.status.connection == .closed)
    }
}
