import FlagLocking
import FlagModel
import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(2))) struct FlagClientLifetimeTests {
    @Test func lettingGoOfTheClientEndsEverything() async throws {
        weak var core: ClientCore?
        let transport: MemoryTransport
        let time: ManualTime
        let watched: Task<Int, Never>
        do {
            let fixture = try ClientFixture()
            transport = fixture.transport
            time = fixture.time
            core = fixture.client.core
            _ = await fixture.startStreaming(["a": 1])
            let updates = fixture.client.values(for: "a", default: 0)
            let started = Recorder<Int>()
            watched = Task {
                var count = 0
                for await value in updates {
                    count += 1
                    started.record(value)
                }
                return count
            }
            _ = await started[0]
        }
        #expect(await watched.value == 1)
        #expect(transport.isClosed)
        #expect(time.timerCount == 0)
        #expect(core == nil)
    }

    @Test func closedClientIsReleasedWithEverythingItStarted() async throws {
        weak var core: ClientCore?
        weak var client: FlagClient?
        do {
            let fixture = try ClientFixture()
            core = fixture.client.core
            client = fixture.client
            let events = fixture.client.events
            _ = await fixture.startStreaming(["a": 1])
            await fixture.client.close()
            for await _ in events {}
        }
        #expect(client == nil)
        #expect(core == nil)
    }

    @Test func closeDoesNotWaitForeverForADiskThatHangs() async throws {
        let disk = HangingCache()
        let fixture = try ClientFixture(cache: disk)
        let closing = Task { await fixture.client.close() }
        _ = await disk.flushes[0]
        fixture.time.advance(by: 5)
        await closing.value
        // The disk comes back too late.
        disk.answer()
        #expect(fixture.time.timerCount == 0)
    }

    @Test func closeReturnsWhenTheValuesAreStored() async throws {
        let disk = HangingCache()
        let fixture = try ClientFixture(cache: disk)
        let closing = Task { await fixture.client.close() }
        _ = await disk.flushes[0]
        disk.answer()
        await closing.value
        #expect(fixture.time.timerCount == 0)
    }

    @Test func aThousandChangesOfContextLeaveNothingBehind() async throws {
        let fixture = try ClientFixture()
        let offer = [Answers.evaluationsStream]
        for round in 0..<1000 {
            async let outcome = fixture.client.setContext(FlagContext(key: "user-\(round)"))
            let exchange = await fixture.transport.exchanges[round]
            exchange.answer(["a": .int(Int64(round))], etag: "e\(round)", streams: offer)
            #expect(await outcome == .fresh)
            await fixture.transport.streams[round].accept()
        }
        // The check for silence, and the poll until the stream has delivered.
        #expect(fixture.time.timerCount == 2)
        // All streams but the last were cut.
        #expect(fixture.transport.cutIDs.count == 999)
        #expect(fixture.client.value(for: "a", default: 0) == 999)
    }

    @Test func aThousandReconnectsLeaveNothingBehind() async throws {
        let fixture = try ClientFixture()
        _ = await fixture.start(["a": 1], etag: "e1", streams: [Answers.evaluationsStream])
        for round in 0..<1000 {
            let stream = await fixture.transport.streams[round]
            stream.accept()
            stream.send(.current(etag: "e1"))
            fixture.time.advance(by: 11)
            stream.receive(.ended(nil))
            fixture.time.advance(by: 0.5)
        }
        #expect(fixture.time.timerCount <= 2)
        #expect(fixture.transport.exchanges.elements.count == 1)
    }

    @Test func watchersThatEndAreForgotten() async throws {
        let fixture = try ClientFixture()
        _ = await fixture.start(["a": 1])
        for _ in 0..<100 {
            for await _ in fixture.client.values(for: "a", default: 0) { break }
            for await _ in fixture.client.events { break }
        }
        #expect(fixture.client.core.watcherCount == 0)
    }
}

/// A disk that holds nothing and does not come back until the test lets it.
final class HangingCache: SnapshotKeeping {
    let flushes = Recorder<Int>()
    private let waiting = Lock<[@Sendable () -> Void]>([])

    func load(for context: FlagContext, completion: @escaping @Sendable (FlagSnapshot?) -> Void) {
        completion(nil)
    }

    func save(_ snapshot: FlagSnapshot) {}

    func removeAll() {}

    func flush(_ completion: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(completion) }
        flushes.record(1)
    }

    func answer() {
        for completion in waiting.withLock({ $0 }) { completion() }
    }
}
