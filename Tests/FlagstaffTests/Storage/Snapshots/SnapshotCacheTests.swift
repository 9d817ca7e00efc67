import Dispatch
import FlagLocking
import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(1))) struct SnapshotCacheTests {
    private let time = SettableTime()
    private let log = StorageLog()
    private let memory: MemoryFlagStorage
    private let base: FaultyStorage

    init() {
        let time = time
        memory = MemoryFlagStorage(now: { time.now().wall })
        base = FaultyStorage(memory)
    }

    /// The cache of a client that starts now.
    private func cache(_ limits: SnapshotLimits = SnapshotLimits(), flagSets: [String] = []) -> SnapshotCache
    {
        SnapshotCache(ClientStorage(base, logger: log, time: time), limits: limits, flagSets: flagSets)
    }

    private func snapshot(
        _ key: String, _ values: [String: FlagValue] = ["a": 1], etag: String? = "e"
    ) -> FlagSnapshot {
        FlagSnapshot.empty.replaced(
            by: Answers.evaluation(values), etag: etag, context: FlagContext(key: key),
            time: Date(timeIntervalSince1970: time.now().wall))
    }

    private func save(_ snapshot: FlagSnapshot, in cache: SnapshotCache? = nil) async {
        let cache = cache ?? self.cache()
        cache.save(snapshot)
        await cache.flushed()
    }

    private func value(_ key: String, in cache: SnapshotCache? = nil) async -> FlagValue? {
        await (cache ?? self.cache()).loaded(for: FlagContext(key: key))?.resolutions["a"]?.value
    }

    private func files() throws -> [String] { try memory.entries().map(\.name).sorted() }

    // MARK: Values

    @Test func nextRunFindsTheLastValues() async {
        #expect(await value("u") == nil)
        await save(snapshot("u", ["a": 1]))
        time.advance(by: 1)
        await save(snapshot("u", ["a": 2], etag: "f"))
        let found = await cache().loaded(for: FlagContext(key: "u"))
        #expect(found?.resolutions["a"]?.value == 2)
        #expect(found?.etag == "f")
        #expect(found?.updated?.timeIntervalSince1970 == time.now().wall)
        #expect(found?.origin(of: "a") == .cache)
        #expect(log.all.isEmpty)
    }

    @Test func aContextGetsItsOwnValuesAndNoOthers() async {
        await save(snapshot("u", ["a": 1]))
        await save(snapshot("v", ["a": 2]))
        #expect(await value("u") == 1)
        #expect(await value("v") == 2)
        #expect(await value("w") == nil)
        #expect(await cache().loaded(for: FlagContext(key: "u", attributes: ["x": 1])) == nil)
        #expect(await cache(flagSets: ["set"]).loaded(for: FlagContext(key: "u")) == nil)
    }

    @Test func aFileUnderAnotherNameServesNobody() async throws {
        await save(snapshot("u"))
        let name = try #require(try files().first)
        let bytes = try #require(try memory.read(name))
        await save(snapshot("v"))
        let other = try #require(try files().first { $0 != name })
        try memory.write(bytes, as: other)
        #expect(await value("v") == nil)
        #expect(log.warnings.count == 1)
    }

    @Test func neitherStaleNorMissingValuesAreStored() async throws {
        await save(snapshot("u").markedStale())
        await save(.empty)
        await save(snapshot("u").dropped(for: FlagContext(key: "v")))
        #expect(try files().isEmpty)
    }

    @Test func anEmptySetOfFlagsIsAState() async {
        await save(snapshot("u", [:]))
        #expect(await cache().loaded(for: FlagContext(key: "u"))?.resolutions.isEmpty == true)
    }

    @Test func removingForgetsAlsoWhatIsYetToBeStored() async throws {
        let cache = cache()
        await save(snapshot("u"), in: cache)
        try memory.write([1], as: "other")
        cache.save(snapshot("v"))
        cache.removeAll()
        await cache.flushed()
        #expect(try files() == ["other"])
        await save(snapshot("u"), in: cache)
        #expect(await value("u") == 1)
    }

    // MARK: Damage

    @Test func damagedFileIsAMissAndOneLine() async throws {
        await save(snapshot("u"))
        let name = try #require(try files().first)
        try memory.write([1, 2, 3], as: name)
        #expect(await value("u") == nil)
        #expect(await value("u") == nil)
        #expect(log.all.count == 1)
        await save(snapshot("u"))
        #expect(await value("u") == 1)
        #expect(log.all.count == 1)
    }

    @Test func damagedFileIsReplacedByTheSameValues() async throws {
        let cache = cache()
        await save(snapshot("u"), in: cache)
        let name = try #require(try files().first)
        try memory.write([1, 2, 3], as: name)
        #expect(await value("u", in: cache) == nil)
        await save(snapshot("u"), in: cache)
        #expect(await value("u") == 1)
    }

    @Test func unreadableFileIsAMissAndOneLine() async {
        await save(snapshot("u"))
        base.fail { $0.reads = true }
        #expect(await value("u") == nil)
        #expect(log.warnings.count == 1)
    }

    @Test func fullDiskLeavesTheValuesInMemory() async {
        base.fail { $0.writes = true }
        let cache = cache()
        await save(snapshot("u", ["a": 1]), in: cache)
        await save(snapshot("u", ["a": 2], etag: "f"), in: cache)
        await save(snapshot("v", ["a": 3]), in: cache)
        #expect(await value("u", in: cache) == 2)
        #expect(await value("v", in: cache) == 3)
        #expect(log.warnings.count == 1)
        #expect(await value("u") == nil)
    }

    // MARK: Limits

    @Test func contextsNotUsedForLongestMakeRoom() async {
        let limits = SnapshotLimits(contexts: 2)
        for key in ["u", "v"] {
            await save(snapshot(key), in: cache(limits))
            time.advance(by: 10)
        }
        // Being used counts like being stored.
        let using = cache(limits)
        #expect(await value("u", in: using) == 1)
        await using.flushed()
        time.advance(by: 10)
        await save(snapshot("w"), in: cache(limits))
        #expect(await value("v") == nil)
        #expect(await value("u") == 1)
        #expect(await value("w") == 1)
    }

    @Test func tooLargeASetIsNotStored() async throws {
        let limits = SnapshotLimits(bytes: 2_000)
        await save(snapshot("u"), in: cache(limits))
        await save(snapshot("u", ["a": .string(String(repeating: "x", count: 2_000))]), in: cache(limits))
        #expect(try files().isEmpty)
        #expect(log.warnings.count == 1)
    }

    @Test func valuesAreServedUpToTheirAge() async {
        await save(snapshot("u"))
        time.advance(by: 30 * 86400)
        #expect(await value("u") == 1)
        time.advance(by: 1)
        #expect(await value("u") == nil)
        #expect(log.warnings.isEmpty)
        #expect(log.all.count == 1)
    }

    @Test func confirmedValuesAreAsGoodAsNew() async {
        let cache = cache()
        let first = snapshot("u")
        await save(first, in: cache)
        for _ in 0..<20 {
            time.advance(by: 2 * 86400)
            await save(
                first.confirmed(etag: "e", time: Date(timeIntervalSince1970: time.now().wall)), in: cache)
        }
        #expect(await value("u") == 1)
    }

    // MARK: The clock

    @Test func clockThatIsAheadForAWhileLosesNothing() async {
        await save(snapshot("u"))
        time.set(by: 365 * 86400)
        #expect(await value("u") == nil)
        time.set(by: -365 * 86400)
        #expect(await value("u") == 1)
    }

    @Test func clockThatIsSetBackLosesNothingAndKeepsNothingForEver() async {
        await save(snapshot("u"))
        time.set(by: -365 * 86400)
        let cache = cache()
        let found = await cache.loaded(for: FlagContext(key: "u"))
        #expect(found?.resolutions["a"]?.value == 1)
        #expect(found?.updated?.timeIntervalSince1970 == time.now().wall)
        await cache.flushed()
        time.advance(by: 29 * 86400)
        #expect(await value("u") == 1)
        time.advance(by: 2 * 86400)
        #expect(await value("u") == nil)
    }

    @Test func filesOfTheFutureAgeOnceOthersAreStored() async throws {
        await save(snapshot("u"))
        time.set(by: -365 * 86400)
        await save(snapshot("v"))
        time.advance(by: 31 * 86400)
        await save(snapshot("w"))
        #expect(try files().count == 1)
    }

    // MARK: Order

    @Test func ofManySavesInARowTheLastIsWritten() async throws {
        let gate = Gate(base)
        let cache = cache()
        cache.save(snapshot("u", ["a": 0]))
        await gate.isReached()
        for number in 1...50 {
            cache.save(snapshot("u", ["a": .int(Int64(number))], etag: "\(number)"))
            cache.save(snapshot("v", ["a": .int(Int64(-number))], etag: "\(number)"))
        }
        gate.open()
        await cache.flushed()
        #expect(base.writes == 3)
        #expect(await value("u") == 50)
        #expect(await value("v") == -50)
    }

    @Test func aLoadWaitsForOneWriteAtMost() async {
        await save(snapshot("u", ["a": 7]))
        let gate = Gate(base)
        let cache = cache()
        for key in ["w", "x", "y", "z"] { cache.save(snapshot(key)) }
        await gate.isReached()
        let writes = Recorder<Int>()
        let base = base
        cache.load(for: FlagContext(key: "u")) { _ in writes.record(base.writes) }
        gate.open()
        let before = await writes[0]
        await cache.flushed()
        // That before the test, and the one that was held when the load was asked for.
        #expect(before == 2)
        #expect(base.writes == 5)
    }

    @Test func whatIsAboutToBeStoredIsFound() async {
        let gate = Gate(base)
        let cache = cache()
        cache.save(snapshot("w"))
        await gate.isReached()
        cache.save(snapshot("u", ["a": 9]))
        async let found = cache.loaded(for: FlagContext(key: "u"))
        gate.open()
        #expect(await found?.resolutions["a"]?.value == 9)
    }

    @Test func equalValuesAreNotWrittenAgainWithinAnHour() async {
        let cache = cache()
        var current = snapshot("u")
        await save(current, in: cache)
        for _ in 0..<59 {
            time.advance(by: 60)
            current = current.confirmed(etag: "e", time: Date(timeIntervalSince1970: time.now().wall))
            await save(current, in: cache)
        }
        #expect(base.writes == 1)
        time.advance(by: 61)
        await save(
            current.confirmed(etag: "e", time: Date(timeIntervalSince1970: time.now().wall)), in: cache)
        #expect(base.writes == 2)
        await save(snapshot("u", ["a": 2]), in: cache)
        #expect(base.writes == 3)
    }

    @Test func savesFromManyThreadsEndWithTheLastOfEach() async {
        let cache = cache(SnapshotLimits(contexts: 100))
        let snapshots = (0..<8).map { thread in
            (0..<30).map { snapshot("u\(thread)", ["a": .int(Int64($0))], etag: "\($0)") }
        }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for snapshot in snapshots[thread] { cache.save(snapshot) }
        }
        await cache.flushed()
        for thread in 0..<8 { #expect(await value("u\(thread)") == 29) }
    }
}

/// Holds the first write until it is opened.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let reached = Recorder<String>()

    init(_ storage: FaultyStorage) {
        let isFirst = Lock(true)
        storage.willWrite.withLock { willWrite in
            willWrite = { [semaphore, reached] name in
                guard
                    isFirst.withLock({ first in
                        defer { first = false }
                        return first
                    })
                else { return }
                reached.record(name)
                // On the storage's own queue, which is no thread of the cooperative pool.
                semaphore.wait()
            }
        }
    }

    /// Waits until the write is held.
    func isReached() async { _ = await reached[0] }

    func open() { semaphore.signal() }
}
