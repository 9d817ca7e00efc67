import FlagModel
import Testing

@testable import Flagstaff

@Suite struct ClientMachinePausingTests {
    private func streaming(change: (inout ConnectionSettings) -> Void = { _ in }) -> MachineHarness {
        var harness = MachineHarness(change: change)
        harness.startStreaming()
        return harness
    }

    @Test func pauseEndsAllWorkAndKeepsValues() {
        var harness = streaming()
        let refresh = harness.refresh()
        harness.send(.pause(.app))
        #expect(harness.outcome(refresh) == .paused)
        #expect(harness.openFetches.isEmpty)
        #expect(harness.openStreams.isEmpty)
        #expect(harness.timers.isEmpty)
        #expect(harness.values == ["a": 1])
        #expect(harness.machine.status.connection == .paused)
        #expect(harness.events.last?.kind == .paused)
        let events = harness.events.count
        harness.send(.pause(.app))
        #expect(harness.events.count == events)
    }

    @Test func callsDuringAPauseReturnAtOnceAndNothingIsSent() {
        var harness = streaming()
        harness.send(.pause(.app))
        let calls = [harness.refresh(), harness.change(to: "other"), harness.change(to: "other")]
        for call in calls { #expect(harness.outcome(call) == .paused) }
        harness.advance(by: 86400)
        #expect(harness.fetches.count == 1)
        #expect(harness.streams.count == 1)
    }

    @Test func resumeAsksOnceForTheContextThatWasSetLast() {
        var harness = streaming()
        harness.send(.pause(.app))
        harness.change(to: "two")
        harness.change(to: "three")
        let resume = harness.resume()
        #expect(harness.fetches.count == 2)
        #expect(harness.fetches.last == FetchRequest(context: FlagContext(key: "three")))
        harness.answer(Answers.fresh(["a": 3], etag: "e3", streams: [Answers.evaluationsStream]))
        #expect(harness.outcome(resume) == .fresh)
        #expect(harness.streams.last?.context == FlagContext(key: "three"))
        #expect(harness.values == ["a": 3])
        #expect(harness.events.last { $0.kind == .received }?.cause == .resume)
    }

    @Test func whatWasUnderWayBeforeThePauseIsDropped() {
        var harness = streaming()
        harness.refresh()
        let fetch = harness.fetchID ?? 0
        let stream = harness.streamID ?? 0
        harness.send(.pause(.app))
        #expect(harness.send(.fetched(fetch, Answers.fresh(["a": 9]))).isEmpty)
        #expect(harness.send(.stream(stream, [Answers.patch(["a": 9], etag: "e9")])).isEmpty)
        #expect(harness.values == ["a": 1])
    }

    @Test func resumeWithoutPauseIsARefresh() {
        var harness = streaming()
        let resume = harness.resume()
        harness.answer(.notModified)
        #expect(harness.outcome(resume) == .fresh)
        #expect(!harness.events.contains { $0.kind == .resumed })
    }

    @Test func resumeBeforeStartSaysSo() {
        var harness = MachineHarness()
        let resume = harness.resume()
        #expect(harness.outcome(resume)?.error?.code == .notStarted)
    }

    @Test func backgroundPausesWhereItIsToAndTheForegroundEndsThat() {
        var harness = streaming { $0.pausesInBackground = true }
        harness.send(.background)
        #expect(harness.openStreams.isEmpty)
        harness.advance(by: 3600)
        harness.send(.foreground)
        #expect(harness.fetches.count == 2)
        // What the streams are may have changed.
        #expect(harness.fetches.last?.etag == nil)
        harness.answer(Answers.fresh(["a": 2], etag: "e2", streams: [Answers.evaluationsStream]))
        #expect(harness.streams.count == 2)
        #expect(harness.events.last { $0.kind == .changed }?.cause == .foreground)
    }

    @Test func foregroundDuringARequestMakesNoSecondOne() {
        var harness = MachineHarness(.polling(every: 30))
        harness.change(to: "user")
        harness.send(.foreground)
        harness.send(.foreground)
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.fetches.count == 1)
        harness.send(.foreground)
        harness.send(.foreground)
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.fetches.count == 2)
    }

    @Test func foregroundDoesNotEndThePauseOfTheApp() {
        var harness = streaming { $0.pausesInBackground = true }
        harness.send(.pause(.app))
        harness.send(.background)
        harness.send(.foreground)
        #expect(harness.fetches.count == 1)
        #expect(harness.machine.status.connection == .paused)
        harness.resume()
        #expect(harness.fetches.count == 2)
    }

    @Test func backgroundBeforeTheStartChangesNothing() {
        var harness = MachineHarness { $0.pausesInBackground = true }
        harness.send(.background)
        harness.change(to: "user")
        #expect(harness.fetches.count == 1)
    }

    @Test func backgroundCanBeGoneThrough() {
        var harness = streaming()
        harness.send(.background)
        #expect(harness.openStreams.count == 1)
        harness.send(.foreground)
        // A stream that is open tells all by itself.
        #expect(harness.fetches.count == 1)
    }

    @Test(arguments: [(10.0, 1), (900.0, 2), (1e6, 2)])
    func foregroundAsksForWhatIsTooOld(away: Double, fetches: Int) {
        var harness = MachineHarness(.polling(every: .infinity)) {
            $0.pausesInBackground = true
            $0.foregroundRefresh = .ifOlder(than: 900)
        }
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1]))
        harness.send(.background)
        // The device's clock is set back meanwhile; that tells nothing about age.
        harness.wall -= 1e7
        harness.advance(by: away)
        harness.send(.foreground)
        #expect(harness.fetches.count == fetches)
    }

    @Test func missedPollsMakeOneRequest() {
        var harness = MachineHarness(.polling(every: 30)) { $0.pausesInBackground = true }
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1]))
        harness.send(.background)
        harness.advance(by: 86400)
        harness.send(.foreground)
        harness.send(.foreground)
        #expect(harness.fetches.count == 2)
    }

    @Test func neverMeansNoRequestAndTheStreamComesBack() {
        var harness = streaming {
            $0.pausesInBackground = true
            $0.foregroundRefresh = .never
        }
        harness.send(.background)
        harness.send(.foreground)
        #expect(harness.fetches.count == 1)
        #expect(harness.streams.count == 2)
        #expect(harness.streams.last?.etag == "e1")
    }

    @Test func missingValuesAreAlwaysAskedFor() {
        var harness = MachineHarness {
            $0.pausesInBackground = true
            $0.foregroundRefresh = .never
        }
        harness.change(to: "user")
        harness.send(.background)
        harness.send(.foreground)
        #expect(harness.fetches.count == 2)
    }

    @Test func onceAndManualAskNoMoreInTheForeground() {
        for sync: FlagSyncMode in [.once, .manual] {
            var harness = MachineHarness(sync) { $0.pausesInBackground = true }
            harness.change(to: "user")
            harness.answer(Answers.fresh(["a": 1]))
            harness.send(.background)
            harness.advance(by: 3600)
            harness.send(.foreground)
            #expect(harness.fetches.count == 1)
        }
    }

    @Test(arguments: [FlagSyncMode.once, .manual, .polling(every: .infinity)])
    func storedValuesAreNotWhatTheForegroundCanDoWith(sync: FlagSyncMode) {
        var harness = MachineHarness(sync) { settings in
            settings.hasCache = true
            settings.pausesInBackground = true
            settings.foregroundRefresh = .never
        }
        harness.change(to: "user")
        harness.found(["a": 1])
        #expect(harness.fetches.count == 1)
        // Goes out of sight before the service has answered.
        harness.send(.background)
        harness.send(.foreground)
        #expect(harness.fetches.count == 2)
        harness.answer(Answers.fresh(["a": 2]))
        #expect(harness.values == ["a": 2])
    }

    @Test func aPauseBeforeTheStartIsSeenToEnd() {
        var harness = MachineHarness()
        harness.send(.pause(.app))
        harness.resume()
        #expect(harness.events.map(\.kind) == [.paused, .resumed])
        harness.resume()
        #expect(harness.events.count == 2)
    }

    @Test func closeDuringAPauseIsFinal() {
        var harness = streaming()
        harness.send(.pause(.app))
        harness.send(.close)
        let resume = harness.resume()
        #expect(harness.outcome(resume) == .closed)
        harness.send(.foreground)
        #expect(harness.fetches.count == 1)
    }

    @Test func aDayOfflineCostsFewRequests() {
        var harness = MachineHarness()
        harness.change(to: "user")
        for _ in 0..<2000 where harness.uptime < 1000 + 86400 {
            if harness.fetchID != nil { harness.answer(.failure(Answers.networkFailure)) }
            harness.advance(by: harness.due(.fetch) ?? 1)
        }
        // Five minutes at most between two, half of that on average.
        #expect((300..<700).contains(harness.fetches.count), "\(harness.fetches.count)")
    }
}
