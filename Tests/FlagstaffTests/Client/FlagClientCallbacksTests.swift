import FlagLocking
import Foundation
import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(3))) struct FlagClientCallbacksTests {
    @Test func tellOfOtherValuesOfTheFlagOnly() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1, "b": 1])
        let calls = Recorder<Int>()
        let token = fixture.client.onChange(of: "a", default: 0, on: .immediate) { calls.record($0) }
        #expect(calls.elements.isEmpty)
        stream.set(["b": 2])
        stream.set(["a": 1.0])
        stream.set(["a": "text"])
        stream.set(["a": 0], removed: [])
        stream.set([:], removed: ["a"])
        stream.set(["a": 7])
        #expect(calls.elements == [0, 7])
        token.cancel()
        stream.set(["a": 8])
        #expect(calls.elements == [0, 7])
        #expect(fixture.client.core.watcherCount == 0)
    }

    @Test func newestValueWinsAndOneThatWentBackIsNoChange() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1])
        let manual = ManualExecutor()
        let calls = Recorder<Int>()
        let token = fixture.client.onChange(
            of: FlagKey("a", default: 0), on: manual.executor
        ) { calls.record($0) }
        for value in 2...9 { stream.set(["a": .int(Int64(value))]) }
        #expect(manual.count == 1)
        manual.run()
        #expect(calls.elements == [9])
        stream.set(["a": 3])
        stream.set(["a": 9])
        manual.run()
        #expect(calls.elements == [9])
        withExtendedLifetime(token) {}
    }

    @Test func eachCallCountsAsOneRead() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1])
        let token = fixture.client.onChange(of: "a", default: 0, on: .immediate) { _ in }
        #expect(fixture.client.core.reads.drain().isEmpty)
        stream.set(["a": 2])
        stream.set(["a": 2.0])
        #expect(fixture.client.core.reads.drain().map(\.count) == [1])
        token.cancel()
    }

    @Test func nothingIsCalledAfterCancelOnTheSameQueue() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 0])
        let queue = DispatchQueue(label: "callbacks")
        for round in 1...200 {
            let isCancelled = Lock(false)
            let late = Lock(0)
            let token = fixture.client.onChange(of: "a", default: 0, on: .queue(queue)) { _ in
                if isCancelled.withLock({ $0 }) { late.withLock { $0 += 1 } }
            }
            async let changing: Void = stream.set(["a": .int(Int64(round))])
            queue.sync {
                token.cancel()
                isCancelled.withLock { $0 = true }
            }
            await changing
            queue.sync {}
            #expect(late.withLock { $0 } == 0)
        }
        #expect(fixture.client.core.watcherCount == 0)
    }

    @Test func mainActorBodiesRunOnTheMainThreadInOrder() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1])
        let calls = Recorder<String>()
        var tokens: [FlagToken] = []
        fixture.client.onEvent { event in
            MainActor.assertIsolated()
            calls.record(event.kind.rawValue)
        }.store(in: &tokens)
        #expect(await calls.first(1) == ["ready"])
        fixture.client.onChange(of: FlagKey("a", default: 0)) { value in
            MainActor.assertIsolated()
            calls.record("a is \(value)")
        }.store(in: &tokens)
        fixture.client.onChange { change in
            MainActor.assertIsolated()
            calls.record(change.changedKeys.joined())
        }.store(in: &tokens)
        stream.set(["a": 2])
        #expect(await Set(calls.first(5)) == ["ready", "a is 2", "a", "received", "changed"])
    }

    @MainActor @Test func nothingIsCalledAfterCancelOnTheMainActor() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1])
        let calls = Recorder<Int>()
        let token = fixture.client.onChange(of: "a", default: 0) { calls.record($0) }
        // The main actor is here, so the call waits for it.
        stream.set(["a": 2])
        token.cancel()
        let after = Recorder<Int>()
        DispatchQueue.main.async { after.record(0) }
        _ = await after[0]
        #expect(calls.elements.isEmpty)
    }

    @Test func eventsTellANewcomerHowThingsAreAndComeInOrder() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1])
        let queue = DispatchQueue(label: "events")
        let kinds = Recorder<FlagEvent.Kind>()
        let token = fixture.client.onEvent(on: .queue(queue)) { kinds.record($0.kind) }
        stream.set(["a": 2])
        stream.receive(.ended(nil))
        await fixture.client.close()
        #expect(await kinds.first(5) == [.ready, .received, .changed, .stale, .closed])
        let late = Recorder<FlagEvent.Kind>()
        let lateToken = fixture.client.onEvent(on: .immediate) { late.record($0.kind) }
        #expect(late.elements == [.ready, .closed])
        withExtendedLifetime((token, lateToken)) {}
    }

    @Test func slowListenersKeepTheNewestEvents() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 0])
        let manual = ManualExecutor()
        let events = Recorder<FlagEvent>()
        let token = fixture.client.onEvent(on: manual.executor) { events.record($0) }
        for value in 1...300 { stream.set(["a": .int(Int64(value)), "n\(value)": 1]) }
        #expect(manual.count == 1)
        manual.run()
        #expect(events.elements.count == 256)
        #expect(events.elements.last?.changedKeys == ["a", "n300"])
        withExtendedLifetime(token) {}
    }

    @Test func callbacksMayCallTheClient() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1])
        let client = fixture.client
        let seen = Recorder<Int>()
        let token = client.onChange(of: "a", default: 0, on: .immediate) { value in
            seen.record(value)
            _ = client.status
            seen.record(client.value(for: "a", default: 0))
            client.core.close()
        }
        stream.set(["a": 2])
        #expect(seen.elements == [2, 2])
        #expect(client.status.connection == .closed)
        token.cancel()
    }

    @Test func closedOrReleasedClientLetsGoOfCallbacksAndTokensOutliveIt() async throws {
        final class Captured: Sendable {}
        weak var captured: Captured?
        weak var core: ClientCore?
        var tokens: [FlagToken] = []
        do {
            let fixture = try ClientFixture()
            core = fixture.client.core
            let object = Captured()
            captured = object
            _ = await fixture.startStreaming(["a": 1])
            fixture.client.onChange(of: "a", default: 0, on: .immediate) { [object] _ in
                withExtendedLifetime(object) {}
            }.store(in: &tokens)
            fixture.client.onEvent(on: .immediate) { [object] _ in withExtendedLifetime(object) {} }
                .store(in: &tokens)
            fixture.client.onChange(on: .immediate) { [object] _ in withExtendedLifetime(object) {} }
                .store(in: &tokens)
            await fixture.client.close()
        }
        #expect(captured == nil)
        #expect(core == nil)
        tokens = []
    }

    @Test func changesOfAllFlagsComeAsOneConsistentSet() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1, "b": 1])
        let manual = ManualExecutor()
        let changes = Recorder<FlagChange>()
        let token = fixture.client.onChange(on: manual.executor) { changes.record($0) }
        stream.set(["a": 2])
        stream.set(["a": 1, "b": 3])
        manual.run()
        #expect(changes.elements.map(\.changedKeys) == [["b"]])
        stream.set(["b": 4])
        stream.set(["b": 3])
        manual.run()
        #expect(changes.elements.count == 1)
        withExtendedLifetime(token) {}
    }

    @Test func registeringWhileAValueIsSetNeverMissesIt() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 0])
        let client = fixture.client
        let queue = DispatchQueue(label: "callbacks")
        for round in 1...4000 {
            let calls = Recorder<Int>()
            async let setting: Void = stream.set(["a": .int(Int64(round))])
            let token = client.onChange(of: "a", default: -1, on: .queue(queue)) { calls.record($0) }
            let afterwards = client.value(for: "a", default: -1)
            await setting
            // Either the value was there when the registration returned, or the callback tells it.
            if afterwards != round { #expect(await calls.first(1) == [round]) }
            token.cancel()
        }
        #expect(client.core.watcherCount == 0)
    }
}
