import FlagLocking
import FlagModel
import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(1))) struct FlagClientReconnectingTests {
    @Test func whoeverHearsOfARequestFindsItSent() async throws {
        let fixture = try ClientFixture()
        _ = await fixture.startStreaming(["a": 1])
        let transport = fixture.transport
        let sent = Lock<[FlagEvent.Kind: Int]>([:])
        let token = fixture.client.onEvent(on: .immediate) { event in
            let count = transport.exchanges.elements.count
            sent.withLock { $0[event.kind] = count }
        }
        async let outcome = fixture.client.reconnect(context: FlagContext(key: "other"))
        await transport.exchanges[1].answer(["a": 2])
        #expect(await outcome == .fresh)
        #expect(sent.withLock { $0[.reconnecting] } == 2)
        #expect(sent.withLock { $0[.received] } == 2)
        token.cancel()
    }

    @Test func finishEndsSequencesAndRequestsWithoutWaiting() async throws {
        let fixture = try ClientFixture()
        _ = await fixture.startStreaming(["a": 1])
        let events = fixture.client.events
        fixture.client.finish()
        #expect(fixture.transport.isClosed)
        #expect(fixture.time.timerCount == 0)
        for await _ in events {}
        fixture.client.finish()
        #expect(fixture.client.value(for: "a", default: 0) == 1)
        #expect(await fixture.client.reconnect(context: FlagContext(key: "late")) == .closed)
    }

    @Test func finishStoresWhatIsToBeStored() async throws {
        let disk = HangingCache()
        let fixture = try ClientFixture(cache: disk)
        fixture.client.finish()
        _ = await disk.flushes[0]
        #expect(fixture.time.timerCount == 1)
        disk.answer()
        while fixture.time.timerCount > 0 { await Task.yield() }
    }

    @Test func finishReportsWhatIsLeft() async throws {
        let reads = ManualReads()
        let fixture = try ClientFixture(reads: reads) { $0.telemetry = .standard }
        _ = await fixture.start(["a": 1])
        fixture.client.track("left")
        fixture.client.finish()
        let report = await fixture.transport.exchanges[1]
        let batch = try TelemetryBatch.decode(report.request.body ?? [])
        #expect(batch.groups.flatMap(\.events).map(\.name) == ["left"])
        report.answer(202)
        await fixture.client.close()
    }
}
