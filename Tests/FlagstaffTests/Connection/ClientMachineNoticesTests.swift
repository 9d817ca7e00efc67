import FlagModel
import Testing

@testable import Flagstaff

@Suite struct ClientMachineNoticesTests {
    private func started(_ streams: [EventStream] = [Answers.noticesStream()]) -> MachineHarness {
        var harness = MachineHarness()
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1], etag: "e1", streams: streams))
        return harness
    }

    private func notice(_ etag: String? = nil, at time: String? = nil, id: String? = nil) -> StreamInput {
        .notice(RefetchNotice(etag: etag, lastModified: time), id: id)
    }

    @Test func everyConnectionBeginsWithAFetch() {
        var harness = started()
        harness.deliver(.opened)
        #expect(harness.fetches.count == 2)
        #expect(harness.fetches.last == FetchRequest(context: FlagContext(key: "user"), etag: "e1"))
        harness.answer(.notModified)
        harness.deliver(.ended(Answers.networkFailure))
        harness.advance(by: 0.5)
        harness.deliver(.opened)
        #expect(harness.fetches.count == 3)
    }

    @Test func noticeCausesAFetchThatNamesIt() {
        var harness = started()
        harness.deliver(.opened)
        harness.answer(.notModified)
        harness.deliver(notice("\"c2\"", at: "1800000000", id: "4"))
        harness.advance(by: 0.25)
        #expect(harness.fetches.last?.notice == RefetchNotice(etag: "\"c2\"", lastModified: "1800000000"))
        #expect(harness.fetches.last?.etag == "e1")
        harness.answer(Answers.fresh(["a": 2], etag: "e2", streams: [Answers.noticesStream()]))
        harness.refresh()
        #expect(harness.fetches.last?.notice == nil)
        #expect(harness.machine.streams[0].lastEventID == "4")
    }

    @Test func noticesDuringAFetchMakeOneFurtherFetch() {
        var harness = started()
        harness.deliver(.opened)
        harness.deliver(notice("c2"), notice("c3"), notice("c4"))
        #expect(harness.fetches.count == 2)
        harness.answer(.notModified)
        #expect(harness.fetches.count == 3)
        #expect(harness.fetches.last?.notice?.etag == "c4")
        harness.answer(.notModified)
        harness.advance(by: 20)
        #expect(harness.fetches.count == 3)
    }

    @Test func steadyNoticesDoNotPutTheFetchOff() {
        var harness = started()
        harness.deliver(.opened)
        harness.answer(.notModified)
        for _ in 0..<3 {
            harness.deliver(notice("c"))
            harness.advance(by: 0.1)
        }
        #expect(harness.fetches.count == 3)
    }

    @Test func noticesDoNotDefeatTheBackOff() {
        var harness = started()
        harness.deliver(.opened)
        for _ in 0..<6 {
            harness.answer(Answers.failure(500))
            harness.advance(by: harness.due(.fetch) ?? 0)
        }
        harness.answer(Answers.failure(500))
        let due = harness.due(.fetch)
        harness.deliver(notice("c9"))
        #expect(harness.due(.fetch) == due)
        harness.advance(by: due ?? 0)
        #expect(harness.fetches.last?.notice?.etag == "c9")
    }

    @Test func connectsToAllStreamsOfTheStandardOnceEach() {
        let harness = started([
            Answers.noticesStream("/one"), Answers.noticesStream("/two"), Answers.noticesStream("/one"),
            EventStream(type: "unknown", location: .url("http://flags.test/three")),
        ])
        #expect(harness.streams.map(\.url) == ["http://flags.test/one", "http://flags.test/two"])
    }

    @Test func streamsStayOverAChangeOfContextUntilTheAnswerSaysOtherwise() {
        var harness = started()
        harness.deliver(.opened)
        harness.answer(.notModified)
        let id = harness.streamID
        harness.change(to: "other")
        harness.answer(Answers.fresh(["a": 2], etag: "o1", streams: [Answers.noticesStream()]))
        #expect(harness.streamID == id)
        harness.change(to: "third")
        harness.answer(Answers.fresh(["a": 3], etag: "t1", streams: [Answers.noticesStream("/moved")]))
        #expect(harness.openStreams.values.map(\.url) == ["http://flags.test/moved"])
    }

    @Test func noticeDuringAChangeOfContextFetchesForTheNewOneOnly() {
        var harness = started()
        harness.deliver(.opened)
        harness.answer(.notModified)
        harness.change(to: "other")
        harness.deliver(notice("c2"))
        harness.answer(Answers.fresh(["a": 2], etag: "o1", streams: [Answers.noticesStream()]))
        #expect(harness.fetches.last?.context == FlagContext(key: "other"))
        #expect(harness.fetches.last?.notice?.etag == "c2")
    }

    @Test func streamOfTheStandardMayBeSilentForLonger() {
        var harness = started()
        harness.deliver(.opened)
        harness.answer(.notModified)
        harness.advance(by: 299)
        #expect(harness.openStreams.count == 1)
        harness.advance(by: 2)
        #expect(harness.streams.count == 2)
    }

    @Test func openStreamOfTheStandardIsNoConnectionWhileFetchesFail() {
        var harness = started()
        harness.deliver(.opened)
        harness.answer(.failure(Answers.networkFailure))
        #expect(harness.events.last?.kind == .stale)
        harness.deliver(.ended(Answers.networkFailure))
        while harness.openStreams.isEmpty { harness.advance(by: 0.1) }
        harness.deliver(.opened)
        #expect(harness.events.last?.kind == .stale)
        harness.advance(by: harness.due(.fetch) ?? 0)
        harness.answer(.notModified)
        #expect(harness.events.last?.kind == .connected)
    }

    @Test func opensSoManyStreamsThatFetchesAreLeftConnections() {
        let harness = started((0..<20).map { Answers.noticesStream("/\($0)") })
        #expect(harness.streams.map(\.url) == (0..<8).map { "http://flags.test/\($0)" })
    }

    @Test func refusedAddressesThatAreNoLongerAnnouncedAreForgotten() {
        var harness = started([Answers.noticesStream("/0")])
        for round in 1...100 {
            harness.deliver(.ended(Answers.failed(404)))
            harness.advance(by: 30)
            harness.answer(
                Answers.fresh(["a": 1], etag: "e1", streams: [Answers.noticesStream("/\(round)")]))
        }
        #expect(harness.streams.count == 101)
        #expect(harness.machine.refusedStreams.count <= 1)
    }

    @Test(arguments: [401, 403, 410])
    func addressThatRanOutIsAskedForAgainOnce(status: Int) {
        var harness = started([Answers.noticesStream("/one")])
        harness.deliver(.opened)
        harness.answer(.notModified)
        harness.deliver(.ended(Answers.networkFailure))
        harness.advance(by: 0.5)
        harness.deliver(.ended(Answers.failed(status)))
        // Under its ETag the service would answer that nothing changed, without an address.
        #expect(harness.fetches.count == 3)
        #expect(harness.fetches.last?.etag == nil)
        harness.answer(Answers.fresh(["a": 1], etag: "e1", streams: [Answers.noticesStream("/two")]))
        #expect(harness.streams.last?.url == "http://flags.test/two")
        // It does not help: no further try, or they would not end.
        harness.deliver(.ended(Answers.failed(status)))
        #expect(harness.openFetches.isEmpty)
        harness.advance(by: 30)
        #expect(harness.fetches.last?.etag == "e1")
    }

    @Test func fetchForANewAddressIsTriedUntilItSucceeds() {
        var harness = started()
        harness.deliver(.ended(Answers.failed(401)))
        harness.answer(Answers.failure(500))
        harness.advance(by: 0.5)
        #expect(harness.fetches.count == 3)
        #expect(harness.fetches.last?.etag == nil)
    }
}
