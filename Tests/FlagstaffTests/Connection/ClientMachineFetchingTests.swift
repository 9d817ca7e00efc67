import FlagModel
import Testing

@testable import Flagstaff

@Suite struct ClientMachineFetchingTests {
    @Test func notModifiedKeepsValuesAndTellsNobody() {
        var harness = MachineHarness(.polling(every: 60))
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1], etag: "e1"))
        let events = harness.events.count
        harness.advance(by: 61)
        harness.answer(.notModified)
        #expect(harness.values == ["a": 1])
        #expect(harness.events.count == events)
        #expect(harness.changedKeys.last == [])
        #expect(harness.machine.snapshot.etag == "e1")
    }

    @Test func notModifiedWithoutAnETagIsAFault() {
        var harness = MachineHarness(.manual)
        let call = harness.change(to: "user")
        harness.answer(.notModified)
        #expect(harness.outcome(call)?.error?.code == .badResponse)
        #expect(!harness.machine.snapshot.isReady)
    }

    @Test func emptySetIsANewState() {
        var harness = MachineHarness(.manual)
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1]))
        harness.refresh()
        harness.answer(Answers.fresh([:]))
        #expect(harness.values.isEmpty)
        #expect(harness.machine.snapshot.isReady)
        #expect(harness.changedKeys.last == ["a"])
        #expect(harness.machine.snapshot.evaluation(of: "a", default: 7).errorCode == .flagNotFound)
    }

    @Test func equalValuesNotifyNobody() {
        var harness = MachineHarness(.manual)
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1], etag: "e1"))
        let events = harness.events.count
        harness.refresh()
        harness.answer(Answers.fresh(["a": 1], etag: "e2"))
        // That something arrived is told; that something changed is not.
        #expect(harness.events.dropFirst(events).map(\.kind) == [.received])
        #expect(harness.machine.snapshot.etag == "e2")
    }

    @Test(arguments: [500, 502, 503, 429, 408, 400, 418, 302])
    func failuresKeepValuesAndAreRetried(status: Int) {
        var harness = MachineHarness(.polling(every: 60))
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1]))
        let call = harness.refresh()
        harness.answer(Answers.failure(status))
        #expect(harness.outcome(call)?.error?.status == status)
        #expect(harness.values == ["a": 1])
        #expect(harness.due(.fetch) == 0.5)
        #expect(harness.events.suffix(2).map(\.kind) == [.error, .stale])
    }

    @Test func retriesBackOffWithJitterUpToTheCapAndNeverEnd() {
        var harness = MachineHarness()
        harness.change(to: "user")
        var delays: [Double] = []
        for _ in 0..<100 {
            harness.answer(.failure(Answers.networkFailure))
            let delay = harness.due(.fetch) ?? -1
            delays.append(delay)
            harness.advance(by: delay)
        }
        #expect(delays.prefix(5) == [0.5, 1, 2, 4, 8])
        #expect(delays.suffix(80).allSatisfy { $0 == 150 })
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.values == ["a": 1])
        #expect(harness.machine.status.lastError == nil)
    }

    @Test func successStartsTheBackOffAnew() {
        var harness = MachineHarness(.polling(every: 60))
        harness.change(to: "user")
        for _ in 0..<5 {
            harness.answer(.failure(Answers.networkFailure))
            harness.advance(by: harness.due(.fetch) ?? 0)
        }
        harness.answer(Answers.fresh(["a": 1]))
        harness.advance(by: 61)
        harness.answer(.failure(Answers.networkFailure))
        #expect(harness.due(.fetch) == 0.5)
    }

    @Test(arguments: ["120", "Fri, 15 Jan 2027 08:02:00 GMT", "2027-01-15T08:02:00Z"])
    func noCallIsMadeBeforeTheTimeThatRetryAfterNames(retryAfter: String) {
        // 1 800 000 000 is 2027-01-15T08:00:00Z.
        var harness = MachineHarness(.polling(every: 10))
        harness.change(to: "user")
        harness.answer(Answers.failure(429, retryAfter: retryAfter))
        #expect(harness.due(.fetch) == 120)
        let refresh = harness.refresh(timeout: 5)
        #expect(harness.outcome(refresh)?.error?.code == .rateLimited)
        #expect(harness.outcome(refresh)?.error?.retryAfter == 120)
        let patient = harness.change(to: "other", timeout: 200)
        harness.advance(by: 119.9)
        #expect(harness.fetches.count == 1)
        harness.advance(by: 0.2)
        #expect(harness.fetches.count == 2)
        #expect(harness.fetches.last?.context == FlagContext(key: "other"))
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.outcome(patient) == .fresh)
    }

    @Test func callThatMustWaitIsToldWhy() {
        var harness = MachineHarness()
        harness.change(to: "user")
        harness.answer(Answers.failure(503, retryAfter: "120"))
        let refresh = harness.refresh(timeout: 5)
        let error = harness.outcome(refresh)?.error
        #expect(error?.code == .serverError)
        #expect(error?.status == 503)
        #expect(error?.retryAfter == 120)
    }

    @Test func retryAfterIsCappedAndRubbishIgnored() {
        var harness = MachineHarness()
        harness.change(to: "user")
        harness.answer(Answers.failure(503, retryAfter: "99999999999999999999"))
        #expect(harness.due(.fetch) == 86400)
        harness.advance(by: 86400)
        harness.answer(Answers.failure(503, retryAfter: "soon"))
        #expect(harness.due(.fetch) == 1)
    }

    @Test(arguments: [401, 403, 404])
    func refusalStopsAllAutomaticWorkUntilAskedAgain(status: Int) {
        var harness = MachineHarness()
        harness.startStreaming()
        let refresh = harness.refresh()
        harness.answer(Answers.failure(status))
        #expect(harness.outcome(refresh)?.error?.status == status)
        #expect(harness.events.last?.kind == .stopped)
        #expect(harness.machine.status.connection == .stopped)
        #expect(harness.timers.isEmpty)
        #expect(harness.openStreams.isEmpty)
        #expect(harness.values == ["a": 1])
        harness.advance(by: 1_000_000)
        #expect(harness.fetches.count == 2)

        let again = harness.refresh()
        harness.answer(Answers.fresh(["a": 2], etag: "e2", streams: [Answers.evaluationsStream]))
        #expect(harness.outcome(again) == .fresh)
        #expect(harness.values == ["a": 2])
        #expect(harness.streamID != nil)
    }

    @Test func fetchHasALimitFromStartToEnd() {
        var harness = MachineHarness()
        let call = harness.change(to: "user", timeout: 60)
        harness.advance(by: 10)
        #expect(harness.openFetches.isEmpty)
        #expect(harness.outcome(call)?.error?.code == .timedOut)
        harness.advance(by: 0.5)
        #expect(harness.openFetches.count == 1)
    }

    @Test func answerAfterItsLimitIsDropped() {
        var harness = MachineHarness()
        harness.change(to: "user", timeout: 60)
        let late = harness.fetchID ?? 0
        harness.advance(by: 10)
        #expect(harness.send(.fetched(late, Answers.fresh(["a": 1]))).isEmpty)
        #expect(harness.values.isEmpty)
    }

    @Test func pollsAtItsIntervalWithJitterAndOnlyOneCatchUp() {
        var harness = MachineHarness(.polling(every: 60))
        harness.random = 0
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1], etag: "e1", streams: [Answers.evaluationsStream]))
        #expect(harness.openStreams.isEmpty)
        #expect(harness.due(.fetch) == 54)
        harness.random = 0.999
        // The device sleeps for a day: timers are late.
        harness.uptime += 86400
        harness.advance(by: 0)
        #expect(harness.fetches.count == 2)
        harness.answer(.notModified)
        #expect((harness.due(.fetch) ?? 0) > 65.9)
        #expect(harness.machine.status.connection == .polling)
    }

    @Test func onceRetriesUntilTheValuesAreHereAndThenRests() {
        var harness = MachineHarness(.once)
        harness.change(to: "user")
        harness.answer(.failure(Answers.networkFailure))
        harness.advance(by: 1)
        harness.answer(Answers.fresh(["a": 1], streams: [Answers.evaluationsStream]))
        #expect(harness.timers.isEmpty)
        #expect(harness.openStreams.isEmpty)
        #expect(harness.machine.status.connection == .idle)
        harness.change(to: "other")
        #expect(harness.fetchID != nil)
    }

    @Test func manualSendsOneRequestPerCall() {
        var harness = MachineHarness(.manual)
        harness.change(to: "user")
        harness.answer(.failure(Answers.networkFailure))
        #expect(harness.timers.isEmpty)
        #expect(harness.machine.status.connection == .idle)
        harness.refresh()
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.timers.isEmpty)
        #expect(harness.fetches.count == 2)
    }

    @Test func manualKeepsItsPromiseToACallThatWaitsForALaterFetch() {
        var harness = MachineHarness(.manual)
        harness.change(to: "user")
        let refresh = harness.refresh()
        harness.answer(.failure(Answers.networkFailure))
        #expect(harness.outcome(refresh) == nil)
        harness.advance(by: 0.5)
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.outcome(refresh) == .fresh)
    }

    @Test func timersThatWereReplacedAreDropped() {
        var harness = MachineHarness(.polling(every: 60))
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1]))
        let stale = harness.timers[.fetch]?.token ?? 0
        harness.refresh()
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.send(.timer(.fetch, token: stale)).isEmpty)
        #expect(harness.fetches.count == 2)
    }
}
