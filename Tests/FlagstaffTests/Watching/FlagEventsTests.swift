import FlagModel
import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(2))) struct FlagEventsTests {
    @Test func tellTheLifeOfAClientInOrder() async throws {
        let fixture = try ClientFixture()
        let events = fixture.client.events
        let stream = await fixture.startStreaming(["a": 1])
        stream.send(.patch(etag: "e2", changed: Answers.resolutions(["a": 2]), removed: [], metadata: nil))
        stream.receive(.ended(nil))
        await fixture.client.close()
        var kinds: [FlagEvent.Kind] = []
        for await event in events { kinds.append(event.kind) }
        #expect(kinds == [.ready, .received, .connected, .received, .changed, .stale, .closed])
    }

    @Test func changedValuesCanBeReadWhenTheEventArrives() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1])
        let events = fixture.client.events
        stream.send(.patch(etag: "e2", changed: Answers.resolutions(["a": 2]), removed: [], metadata: nil))
        for await event in events where event.kind == .changed {
            #expect(event.changedKeys == ["a"])
            #expect(fixture.client.value(for: "a", default: 0) == 2)
            break
        }
    }

    @Test func latecomersLearnThatTheClientIsReady() async throws {
        let fixture = try ClientFixture()
        _ = await fixture.start(["a": 1])
        var events = fixture.client.events.makeAsyncIterator()
        #expect(await events.next()?.kind == .ready)
        await fixture.client.close()
        #expect(await events.next()?.kind == .closed)
        #expect(await events.next() == nil)
        var late = fixture.client.events.makeAsyncIterator()
        #expect(await late.next()?.kind == .ready)
        #expect(await late.next()?.kind == .closed)
        #expect(await late.next() == nil)
    }

    @Test func eachSequenceStandsForItselfAndEndsWhenCancelled() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1])
        var first = fixture.client.events.makeAsyncIterator()
        let second = fixture.client.events
        stream.set(["a": 2])
        #expect(await first.next()?.kind == .ready)
        #expect(await first.next()?.kind == .received)
        #expect(await first.next()?.kind == .changed)
        let kinds = Recorder<FlagEvent.Kind>()
        let reader = Task { for await event in second { kinds.record(event.kind) } }
        #expect(await kinds.first(3) == [.ready, .received, .changed])
        reader.cancel()
        await reader.value
        stream.set(["a": 3])
        #expect(await first.next()?.kind == .received)
        #expect(await first.next()?.kind == .changed)
        #expect(kinds.elements == [.ready, .received, .changed])
        #expect(fixture.client.core.watcherCount == 1)
    }

    @Test func keepsTheNewestForASlowReader() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 0])
        let events = fixture.client.events
        for value in 1...300 {
            let changed = Answers.resolutions(["a": .int(Int64(value)), "n\(value)": 1])
            stream.send(.patch(etag: "e\(value)", changed: changed, removed: [], metadata: nil))
        }
        await fixture.client.close()
        var all: [FlagEvent] = []
        for await event in events { all.append(event) }
        #expect(all.count == 256)
        #expect(all.last?.kind == .closed)
        #expect(all.dropLast().last?.changedKeys == ["a", "n300"])
    }
}
