import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(2))) struct FlagChangesTests {
    @Test func tellWhatChangedWithAllValuesBeforeAndAfter() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1, "b": 1])
        var changes = fixture.client.changes.makeAsyncIterator()
        stream.set(["a": 2, "c": 3], removed: ["b"])
        let change = try #require(await changes.next())
        #expect(change.changedKeys == ["a", "b", "c"])
        #expect(change.changedValueKeys == ["a", "b", "c"])
        #expect(change.former.value(for: "a", default: 0) == 1)
        #expect(change.snapshot.value(for: "a", default: 0) == 2)
        #expect(change.snapshot.keys == ["a", "c"])
        #expect(change.description == "FlagChange(3 flags, to \(change.snapshot))")
    }

    @Test func slowReaderGetsSeveralAsOneAndNothingThatWentBack() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1, "b": 1])
        var changes = fixture.client.changes.makeAsyncIterator()
        stream.set(["a": 2, "b": 2])
        stream.set(["c": 1])
        stream.set(["b": 1])
        let change = try #require(await changes.next())
        #expect(change.changedKeys == ["a", "c"])
        #expect(change.former.keys == ["a", "b"])
        stream.set(["a": 5])
        stream.set(["a": 2])
        await fixture.client.close()
        #expect(await changes.next() == nil)
    }

    @Test func valueKeysLeaveOutWhatOnlyHasAnotherReason() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1, "b": 1])
        var changes = fixture.client.changes.makeAsyncIterator()
        let flags = [
            FlagResolution(key: "a", value: 1, reason: .targetingMatch),
            FlagResolution(key: "b", value: 2, reason: .targetingMatch),
        ]
        stream.send(.patch(etag: nil, changed: flags, removed: [], metadata: nil))
        let change = try #require(await changes.next())
        #expect(change.changedKeys == ["a", "b"])
        #expect(change.changedValueKeys == ["b"])
    }

    @Test func eachSequenceStandsForItselfAndEndsWithTheClient() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1])
        var first = fixture.client.changes.makeAsyncIterator()
        stream.set(["a": 2])
        var second = fixture.client.changes.makeAsyncIterator()
        stream.set(["a": 3])
        await fixture.client.close()
        #expect(await first.next()?.former.value(for: "a", default: 0) == 1)
        #expect(await second.next()?.former.value(for: "a", default: 0) == 2)
        #expect(await first.next() == nil)
        #expect(await second.next() == nil)
        var late = fixture.client.changes.makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test func cancelledAndForgottenReadersLeaveNothingBehind() async throws {
        let fixture = try ClientFixture()
        _ = await fixture.start(["a": 1])
        _ = fixture.client.changes
        #expect(fixture.client.core.watcherCount == 0)
        let changes = fixture.client.changes
        #expect(fixture.client.core.watcherCount == 1)
        let reader = Task { for await _ in changes {} }
        reader.cancel()
        await reader.value
        #expect(fixture.client.core.watcherCount == 0)
    }
}
