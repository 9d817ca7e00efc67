import FlagModel
import Testing

@testable import Flagstaff

@Suite struct ClientMachineStreamingTests {
    @Test func opensOurStreamWithTheETagAndAppliesItsChanges() {
        var harness = MachineHarness()
        harness.change(to: "user")
        harness.answer(
            Answers.fresh(
                ["a": 1, "b": 1], etag: "e1", streams: [Answers.noticesStream(), Answers.evaluationsStream]))
        #expect(
            harness.streams == [
                StreamRequest(
                    kind: .evaluations, url: "http://flags.test/flagstaff/v1/evaluations",
                    context: FlagContext(key: "user"), etag: "e1")
            ])
        #expect(harness.machine.status.connection == .polling)
        harness.deliver(.opened, .evaluations(.current(etag: "e1"), id: "1"))
        #expect(harness.machine.status.connection == .streaming)
        #expect(harness.due(.fetch) == nil)
        harness.deliver(Answers.patch(["a": 2], removed: ["b"], etag: "e2", id: "2"))
        #expect(harness.values == ["a": 2])
        #expect(harness.changedKeys.last == ["a", "b"])
        #expect(harness.machine.snapshot.etag == "e2")
        #expect(harness.events.map(\.kind) == [.ready, .received, .connected, .received, .changed])
    }

    @Test func putReplacesEverything() {
        var harness = MachineHarness()
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1, "b": 1], etag: "e1", streams: [Answers.evaluationsStream]))
        harness.deliver(.opened, Answers.put(["a": 2], etag: "e2"))
        #expect(harness.values == ["a": 2])
        #expect(harness.machine.snapshot.etag == "e2")
    }

    @Test func droppedStreamPollsMeanwhileAndIsOpenedAgainWithWhatIsKnown() {
        var harness = MachineHarness()
        harness.startStreaming()
        harness.deliver(Answers.patch(["a": 2], etag: "e2", id: "7"))
        harness.deliver(.ended(Answers.networkFailure))
        #expect(harness.events.last?.kind == .stale)
        #expect(harness.due(.fetch) == 30)
        #expect(harness.values == ["a": 2])
        harness.advance(by: 0.5)
        #expect(harness.streams.last?.etag == "e2")
        #expect(harness.streams.last?.lastEventID == "7")
        harness.deliver(.ended(Answers.networkFailure))
        harness.advance(by: 0.9)
        #expect(harness.openStreams.isEmpty)
        harness.advance(by: 0.2)
        harness.deliver(.opened, .evaluations(.current(etag: "e2"), id: nil))
        #expect(harness.events.last?.kind == .connected)
        #expect(harness.due(.fetch) == nil)
        #expect(harness.machine.status.lastError == nil)
    }

    @Test func pollsAgainAndAgainWhileTheStreamIsDown() {
        var harness = MachineHarness()
        harness.startStreaming()
        harness.deliver(.ended(Answers.networkFailure))
        for round in 2..<12 {
            while harness.openFetches.isEmpty {
                harness.advance(by: 1)
                if harness.streamID != nil { harness.deliver(.ended(Answers.failed(503))) }
            }
            harness.answer(
                Answers.fresh(
                    ["a": .int(Int64(round))], etag: "e\(round)", streams: [Answers.evaluationsStream]))
            #expect(harness.values == ["a": .int(Int64(round))])
        }
        #expect(harness.uptime > 1000 + 270)
    }

    @Test func aStreamThatLivedStartsItsBackOffAnew() {
        var harness = MachineHarness()
        harness.startStreaming()
        for expected in [0.5, 1, 2, 4] {
            harness.deliver(.ended(Answers.networkFailure))
            let slot = harness.machine.streams[0].slot
            #expect(harness.due(.reconnect(slot: slot)) == expected)
            harness.advance(by: expected)
            harness.deliver(.opened, .evaluations(.current(etag: "e1"), id: nil))
        }
        harness.advance(by: 10)
        harness.deliver(.ended(Answers.networkFailure))
        #expect(harness.due(.reconnect(slot: harness.machine.streams[0].slot)) == 0.5)
    }

    @Test func serversRetryDelayIsTheFloorOfTheNextReconnect() {
        var harness = MachineHarness()
        harness.startStreaming()
        harness.deliver(.retry(milliseconds: 5000), .ended(Answers.networkFailure))
        let slot = harness.machine.streams[0].slot
        #expect(harness.due(.reconnect(slot: slot)) == 5.5)
    }

    @Test func heartbeatsCauseNoWork() {
        var harness = MachineHarness()
        harness.startStreaming()
        let id = harness.streamID ?? 0
        #expect(harness.send(.stream(id, [.activity])).isEmpty)
    }

    @Test(arguments: [401, 403])
    func refusedKeyOnOurStreamStops(status: Int) {
        var harness = MachineHarness()
        harness.startStreaming()
        harness.deliver(.ended(Answers.networkFailure))
        harness.advance(by: 0.5)
        harness.deliver(.ended(Answers.failed(status)))
        #expect(harness.machine.status.connection == .stopped)
        #expect(harness.timers.isEmpty)
    }

    @Test(arguments: [404, 405, 204, 302, 200])
    func missingStreamFallsBackToTheStandardOneThenToPolling(status: Int) {
        var harness = MachineHarness()
        harness.change(to: "user")
        let offer = [Answers.evaluationsStream, Answers.noticesStream()]
        harness.answer(Answers.fresh(["a": 1], etag: "e1", streams: offer))
        harness.deliver(.ended(Answers.failed(status)))
        #expect(harness.streams.last?.kind == .notices)
        harness.deliver(.ended(Answers.failed(status)))
        #expect(harness.openStreams.isEmpty)
        #expect(harness.machine.status.connection == .polling)
        harness.advance(by: 30)
        harness.answer(Answers.fresh(["a": 2], etag: "e2", streams: offer))
        #expect(harness.openStreams.isEmpty)
        // Asked again, it tries again.
        harness.refresh()
        harness.answer(Answers.fresh(["a": 2], etag: "e2", streams: offer))
        #expect(harness.streams.last?.kind == .evaluations)
    }

    @Test func overloadOnReconnectBacksOffAsAsked() {
        var harness = MachineHarness()
        harness.startStreaming()
        harness.deliver(.ended(Answers.failed(429, retryAfter: "90")))
        let slot = harness.machine.streams[0].slot
        #expect(harness.due(.reconnect(slot: slot)) == 90)
        // It is the same service that asks: no poll either.
        harness.advance(by: 89)
        #expect(harness.fetches.count == 1)
        #expect(harness.streams.count == 1)
        harness.advance(by: 2)
        #expect(harness.fetches.count == 2)
        #expect(harness.streams.count == 2)
    }

    @Test func noRoomForAStreamStillLeavesRoomForPolls() {
        var harness = MachineHarness()
        harness.startStreaming()
        harness.deliver(.ended(Answers.failed(503, retryAfter: "90")))
        let slot = harness.machine.streams[0].slot
        #expect(harness.due(.reconnect(slot: slot)) == 90)
        harness.advance(by: 35)
        #expect(harness.fetches.count == 2)
        #expect(harness.streams.count == 1)
        harness.answer(Answers.fresh(["a": 2], etag: "e2", streams: [Answers.evaluationsStream]))
        #expect(harness.values == ["a": 2])
        let refresh = harness.refresh()
        harness.answer(Answers.fresh(["a": 3], etag: "e3", streams: [Answers.evaluationsStream]))
        #expect(harness.outcome(refresh) == .fresh)
        #expect(harness.values == ["a": 3])
    }

    @Test func takesAWeakTagForTheStrongOne() {
        var harness = MachineHarness()
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1], etag: "W/\"e1\"", streams: [Answers.evaluationsStream]))
        harness.deliver(.opened)
        harness.deliver(.evaluations(.current(etag: "\"e1\""), id: nil))
        #expect(harness.machine.status.connection == .streaming)
        #expect(harness.machine.snapshot.etag == "\"e1\"")
    }

    @Test func pushDuringAFetchIsNotLost() {
        var harness = MachineHarness()
        harness.startStreaming()
        let refresh = harness.refresh()
        harness.deliver(Answers.patch(["a": 3], etag: "e3"))
        // Evaluated before the push.
        harness.answer(Answers.fresh(["a": 2], etag: "e2", streams: [Answers.evaluationsStream]))
        #expect(harness.values == ["a": 3])
        #expect(harness.machine.snapshot.etag == "e3")
        // Which of the two is newer cannot be told, so the call waits for an answer that can be.
        #expect(harness.outcome(refresh) == nil)
        harness.answer(.notModified)
        #expect(harness.outcome(refresh) == .fresh)
        #expect(harness.values == ["a": 3])
        #expect(harness.streams.count == 1)
    }

    @Test func pushDuringAFetchThatNamesTheSameStateIsFresh() {
        var harness = MachineHarness()
        harness.startStreaming()
        let refresh = harness.refresh()
        harness.deliver(Answers.patch(["a": 3], etag: "e3"))
        harness.answer(Answers.fresh(["a": 3], etag: "e3", streams: [Answers.evaluationsStream]))
        #expect(harness.outcome(refresh) == .fresh)
        #expect(harness.fetches.count == 2)
    }

    @Test(arguments: [false, true])
    func callIsNotFreshWithAPushThatIsOlderThanTheAnswer(breaks: Bool) {
        var harness = MachineHarness()
        harness.startStreaming()
        let refresh = harness.refresh()
        harness.deliver(Answers.patch(["a": 2], etag: "e2"))
        if breaks { harness.deliver(.ended(Answers.networkFailure)) }
        harness.answer(Answers.fresh(["a": 3], etag: "e3", streams: [Answers.evaluationsStream]))
        #expect(harness.outcome(refresh) == nil)
        harness.answer(Answers.fresh(["a": 3], etag: "e3", streams: [Answers.evaluationsStream]))
        #expect(harness.outcome(refresh) == .fresh)
        #expect(harness.values == ["a": 3])
    }

    @Test func stateThatCameBackWhileAPushWasUnderWayIsAskedForAgain() {
        var harness = MachineHarness()
        harness.startStreaming()
        let refresh = harness.refresh()
        harness.deliver(Answers.patch(["a": 2], etag: "e2"), .ended(Answers.networkFailure))
        // The service went from e1 to e2 and back.
        harness.answer(.notModified)
        #expect(harness.outcome(refresh) == nil)
        harness.answer(Answers.fresh(["a": 1], etag: "e1", streams: [Answers.evaluationsStream]))
        #expect(harness.outcome(refresh) == .fresh)
        #expect(harness.values == ["a": 1])
    }

    @Test func pushThatIsOlderThanAFetchedAnswerIsNotApplied() {
        var harness = MachineHarness()
        harness.startStreaming()
        harness.refresh()
        let former = harness.streamID ?? 0
        harness.answer(Answers.fresh(["a": 3], etag: "e3", streams: [Answers.evaluationsStream]))
        #expect(harness.streams.last?.etag == "e3")
        #expect(harness.send(.stream(former, [Answers.patch(["a": 2], etag: "e2")])).isEmpty)
        #expect(harness.values == ["a": 3])
    }

    @Test func pushOverAStreamThatThenBrokeMakesTheFetchCountAgain() {
        var harness = MachineHarness()
        harness.startStreaming()
        harness.refresh()
        harness.deliver(Answers.patch(["a": 2], etag: "e2"), .ended(Answers.networkFailure))
        harness.answer(Answers.fresh(["a": 3], etag: "e3", streams: [Answers.evaluationsStream]))
        #expect(harness.fetches.count == 3)
        harness.answer(Answers.fresh(["a": 3], etag: "e3", streams: [Answers.evaluationsStream]))
        #expect(harness.values == ["a": 3])
    }

    @Test func streamOfTheFormerContextIsCutAtOnce() {
        var harness = MachineHarness()
        harness.startStreaming()
        let former = harness.streamID ?? 0
        harness.change(to: "other")
        #expect(harness.openStreams.isEmpty)
        #expect(harness.send(.stream(former, [Answers.patch(["a": 9], etag: "e9")])).isEmpty)
        harness.answer(Answers.fresh(["a": 5], etag: "o1", streams: [Answers.evaluationsStream]))
        #expect(harness.streams.last?.context == FlagContext(key: "other"))
        #expect(harness.streams.last?.etag == "o1")
        #expect(harness.streams.last?.lastEventID == nil)
    }

    @Test(arguments: [
        StreamInput.lost("an unreadable message"), .evaluations(.current(etag: "other"), id: nil),
    ])
    func streamThatCannotBeTrustedIsOpenedAgain(input: StreamInput) {
        var harness = MachineHarness()
        harness.startStreaming()
        harness.deliver(input)
        #expect(harness.openStreams.isEmpty)
        #expect(harness.values == ["a": 1])
        harness.advance(by: 0.5)
        #expect(harness.streams.last?.etag == "e1")
    }

    @Test(arguments: [1, 3, 0, -1])
    func changeThatDoesNotFollowTheOneBeforeIsNotApplied(number: Int) {
        let patch = { (value: FlagValue, number: Int) in
            StreamInput.evaluations(
                .patch(
                    etag: "e\(value)", changed: Answers.resolutions(["a": value]), removed: [], metadata: nil,
                    number: number), id: nil)
        }
        var harness = MachineHarness()
        harness.startStreaming()
        harness.deliver(patch(2, 1))
        #expect(harness.values["a"] == 2)
        harness.deliver(patch(3, number))
        #expect(harness.values["a"] == 2)
        #expect(harness.openStreams.isEmpty)
        harness.advance(by: 1)
        #expect(harness.openStreams.count == 1)
        // The next connection counts anew.
        harness.deliver(.opened, Answers.put(["a": 3], etag: "e3"), patch(4, 1), patch(5, 2))
        #expect(harness.values["a"] == 5)
    }

    @Test func changeBeforeAnyStateIsNotApplied() {
        var harness = MachineHarness()
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1], etag: "e1", streams: [Answers.evaluationsStream]))
        harness.deliver(.opened, Answers.patch(["a": 2], etag: "e2"))
        #expect(harness.values == ["a": 1])
        #expect(harness.openStreams.isEmpty)
    }

    @Test func skippedMessagesKeepTheStream() {
        var harness = MachineHarness()
        harness.startStreaming()
        harness.deliver(.skipped("a message of an unknown type"))
        harness.deliver(Answers.patch(["a": 2], etag: "e2"))
        #expect(harness.values == ["a": 2])
    }

    @Test func absentAnnouncementClosesStreamsAndNotModifiedKeepsThem() {
        var harness = MachineHarness()
        harness.startStreaming()
        harness.refresh()
        harness.answer(.notModified)
        #expect(harness.openStreams.count == 1)
        harness.refresh()
        harness.answer(Answers.fresh(["a": 1], etag: "e1"))
        #expect(harness.openStreams.isEmpty)
        #expect(harness.machine.status.connection == .polling)
    }

    @Test func currentStateIsToldFromAnETagThatAProxyMadeWeak() {
        var harness = MachineHarness()
        harness.change(to: "user")
        harness.answer(
            Answers.fresh(["a": 1], etag: "W/\"x\"", streams: [Answers.evaluationsStream]))
        harness.deliver(.opened, .evaluations(.current(etag: "\"x\""), id: nil))
        #expect(harness.machine.status.connection == .streaming)
        #expect(harness.machine.snapshot.etag == "\"x\"")
        // The same state once more, weak again, is no reason to open the stream anew.
        harness.refresh()
        harness.answer(
            Answers.fresh(["a": 1], etag: "W/\"x\"", streams: [Answers.evaluationsStream]))
        #expect(harness.streams.count == 1)
    }

    @Test func refusedStreamIsNoConnectionWhileFetchesFail() {
        var harness = MachineHarness()
        harness.startStreaming()
        harness.deliver(.ended(Answers.networkFailure))
        harness.refresh()
        harness.answer(Answers.failure(500))
        while harness.openStreams.isEmpty { harness.advance(by: 0.1) }
        harness.deliver(.ended(Answers.failed(404)))
        #expect(harness.events.last?.kind != .connected)
        harness.advance(by: harness.due(.fetch) ?? 0)
        harness.answer(.notModified)
        #expect(harness.events.last?.kind == .connected)
    }

    @Test func flagsOfAPutThatCannotBeReadAreReported() {
        var harness = MachineHarness()
        harness.startStreaming()
        var evaluation = Answers.evaluation(["a": 2])
        evaluation.malformedCount = 3
        let actions = harness.send(
            .stream(harness.streamID ?? 0, [.evaluations(.put(etag: "e2", evaluation: evaluation), id: nil)]))
        let warnings = actions.filter { if case .log(.warning, _) = $0 { true } else { false } }
        #expect(warnings.count == 1)
    }
}
