import FlagModel
import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(3))) struct FlagUpdatesTests {
    @Test func currentValueFirstThenChangesOnly() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1, "b": 1])
        var updates = fixture.client.values(for: "a", default: 0).makeAsyncIterator()
        #expect(await updates.next() == 1)
        stream.send(.patch(etag: "e2", changed: Answers.resolutions(["b": 2]), removed: [], metadata: nil))
        stream.send(.patch(etag: "e3", changed: Answers.resolutions(["a": 1.0]), removed: [], metadata: nil))
        stream.send(.patch(etag: "e4", changed: Answers.resolutions(["a": 5]), removed: [], metadata: nil))
        #expect(await updates.next() == 5)
        stream.send(.patch(etag: "e5", changed: [], removed: ["a"], metadata: nil))
        #expect(await updates.next() == 0)
    }

    @Test func slowReaderGetsTheNewest() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1])
        var updates = fixture.client.values(for: "a", default: 0).makeAsyncIterator()
        #expect(await updates.next() == 1)
        for value in 2...9 {
            let changed = Answers.resolutions(["a": .int(Int64(value))])
            stream.send(.patch(etag: "e\(value)", changed: changed, removed: [], metadata: nil))
        }
        #expect(await updates.next() == 9)
    }

    @Test func changeOfContextNotifiesOnlyOfValuesThatDiffer() async throws {
        let fixture = try ClientFixture { $0.sync = .manual }
        let client = fixture.client
        _ = await fixture.start(["a": 1, "b": 1])
        var first = client.values(for: "a", default: 0).makeAsyncIterator()
        var second = client.values(for: "b", default: 0).makeAsyncIterator()
        #expect(await first.next() == 1)
        #expect(await second.next() == 1)
        async let outcome = client.setContext(FlagContext(key: "other"))
        await fixture.transport.exchanges[1].answer(["a": 2, "b": 1])
        #expect(await outcome == .fresh)
        await client.close()
        #expect(await first.next() == 2)
        #expect(await second.next() == nil)
    }

    @Test func readerOfAClosedClientGetsTheLastValueAndTheEnd() async throws {
        let fixture = try ClientFixture()
        _ = await fixture.start(["a": 1])
        await fixture.client.close()
        var updates = fixture.client.values(for: "a", default: 0).makeAsyncIterator()
        #expect(await updates.next() == 1)
        #expect(await updates.next() == nil)
    }

    @Test func decodedValuesAreComparedAfterDecoding() async throws {
        struct Layout: Decodable, Equatable, Sendable {
            var columns: Int
        }
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["layout": ["columns": 2]])
        var layouts = fixture.client.values(for: "layout", as: Layout.self, default: Layout(columns: 1))
            .makeAsyncIterator()
        #expect(await layouts.next() == Layout(columns: 2))
        stream.set(["layout": ["columns": 2, "theme": "dark"]])
        stream.set(["layout": ["columns": 3.0]])
        #expect(await layouts.next() == Layout(columns: 3))
        stream.set(["layout": ["rows": 3]])
        #expect(await layouts.next() == Layout(columns: 1))
        stream.set(["layout": "none"])
        stream.set([:], removed: ["layout"])
        await fixture.client.close()
        #expect(await layouts.next() == nil)
    }

    @Test func eachElementCountsAsOneRead() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1])
        var updates = fixture.client.values(for: "a", default: 0).makeAsyncIterator()
        #expect(await updates.next() == 1)
        stream.set(["a": 2])
        #expect(await updates.next() == 2)
        stream.set(["a": 2.0])
        stream.set(["a": 2])
        stream.set(["a": "text"])
        #expect(await updates.next() == 0)
        let reads = fixture.client.core.reads.drain()
        #expect(reads.count == 3)
        #expect(reads.map(\.count) == [1, 1, 1])
        #expect(reads.allSatisfy { $0.context.targetingKey == "user" })
        #expect(reads.filter(\.isDefault).map(\.errorCode) == [.typeMismatch])
    }

    @Test func iterationsStandForThemselvesAndStartWithTheValueThen() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1])
        let updates = fixture.client.values(for: FlagKey("a", default: 0))
        stream.set(["a": 2])
        var first = updates.makeAsyncIterator()
        stream.set(["a": 3])
        var second = updates.makeAsyncIterator()
        stream.set(["a": 4])
        #expect(await first.next() == 4)
        #expect(await second.next() == 4)
        stream.set(["a": 5])
        #expect(await second.next() == 5)
        stream.set(["a": 6])
        await fixture.client.close()
        // What was set before the end is still delivered, to each.
        #expect(await first.next() == 6)
        #expect(await second.next() == 6)
        #expect(await first.next() == nil)
        #expect(await second.next() == nil)
    }

    @Test func closingEndsAReaderThatWaits() async throws {
        let fixture = try ClientFixture()
        _ = await fixture.start(["a": 1])
        let updates = fixture.client.values(for: "a", default: 0)
        let started = Recorder<Int>()
        let reader = Task {
            for await value in updates { started.record(value) }
            return fixture.client.status.connection
        }
        _ = await started[0]
        await fixture.client.close()
        #expect(await reader.value == .closed)
        #expect(started.elements == [1])
        #expect(fixture.client.core.watcherCount == 0)
    }

    @Test func cancelledReaderEnds() async throws {
        let fixture = try ClientFixture()
        _ = await fixture.start(["a": 1])
        let updates = fixture.client.values(for: "a", default: 0)
        let started = Recorder<Int>()
        let reader = Task { for await value in updates { started.record(value) } }
        _ = await started[0]
        reader.cancel()
        await reader.value
        #expect(fixture.client.core.watcherCount == 0)
    }

    @Test func neverEndsOnAnOlderValueUnderContention() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 0])
        let client = fixture.client
        for round in 1...4000 {
            // A sequence is created while a value is set, and another writer touches the state as well.
            async let last: Int? = {
                var seen: Int?
                for await value in client.values(for: "a", default: -1) {
                    if let seen, value < seen { return nil }
                    seen = value
                    if value == round { break }
                }
                return seen
            }()
            async let noise: Void = { _ = client.status }()
            let changed = Answers.resolutions(["a": .int(Int64(round))])
            stream.send(.patch(etag: "e\(round)", changed: changed, removed: [], metadata: nil))
            await noise
            #expect(await last == round)
        }
    }
}
