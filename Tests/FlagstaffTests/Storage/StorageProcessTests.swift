import FlagModel
import Foundation
import Testing

@testable import Flagstaff

/// What several processes, their sudden ends and a disk that takes no more do to what is stored.
@Suite(.timeLimit(.minutes(3))) struct StorageProcessTests {
    private let folder: StorageTestFolder
    private let log = StorageLog()
    private let context = FlagContext(key: "probe", attributes: ["plan": "pro"])

    init() throws {
        folder = try StorageTestFolder()
    }

    private func storage() -> ClientStorage {
        ClientStorage(FileFlagStorage(folder: folder.url("store")), logger: log, time: SystemTime())
    }

    private func queue(_ storage: ClientStorage) -> BatchQueue {
        BatchQueue(storage, maximumBatches: 10_000, maximumBytes: 1 << 30, maximumAge: 86400)
    }

    /// The bytes of a probe's batch.
    private func bytes(_ number: Int) -> [UInt8] {
        let size = number &* 7919 % 20_000
        return (0..<size).map { UInt8(truncatingIfNeeded: $0 &+ number) }
    }

    /// What a probe said that it stored.
    private struct Journal {
        var stored: [Int] = []
        /// What may be there or not, as the probe was killed in the middle.
        var unsure: Set<Int> = []
        var saved = 0
        var last = 0

        mutating func note(_ line: String) {
            let parts = line.split(separator: " ")
            guard parts.count == 2, let number = Int(parts[1]) else {
                Issue.record("the probe said: \(line)")
                return
            }
            switch parts[0] {
            case "append":
                unsure.insert(number)
                last = number
            case "appended":
                unsure.remove(number)
                stored.append(number)
            case "remove":
                stored.removeAll { $0 == number }
                unsure.insert(number)
            case "removed": unsure.remove(number)
            case "saved": saved = number
            default: Issue.record("the probe said: \(line)")
            }
        }
    }

    @Test func whatWasAcknowledgedOutlivesAKilledProcess() async throws {
        var generator = SeededGenerator(seed: 20)
        var journal = Journal()
        for _ in 0..<25 {
            // What was looked for in the round before is done with the folder when its queue is.
            while FolderHold.isHeld(folder.path("store")) { await Task.yield() }
            let probe = try ProbeProcess("store", folder.path("store"), "\(journal.last)")
            // It goes on while this reads, so the end comes at any point of its work.
            for _ in 0..<Int.random(in: 0..<30, using: &generator) {
                if let line = probe.line() { journal.note(line) }
            }
            probe.kill()
            for line in probe.lines() { journal.note(line) }

            let storage = storage()
            let found = queue(storage).batches()
            let numbers = found.compactMap { Int($0.id.dropFirst("batch-".count)) }
            #expect(numbers.filter { !journal.unsure.contains($0) } == journal.stored)
            #expect(Set(numbers).subtracting(journal.stored).isSubset(of: journal.unsure))
            for (number, batch) in zip(numbers, found) { #expect(batch.bytes == bytes(number)) }
            // From here on it is known which of the two it is.
            journal.stored = numbers
            journal.unsure = []

            let cache = try #require(SnapshotCache(storage, policy: .disk()))
            let snapshot = await cache.loaded(for: context)
            let value = snapshot?.value(for: "flag-0", default: -1) ?? 0
            // A save that was done and not said is as good.
            #expect(value >= journal.saved)
            #expect(value <= journal.last)
            #expect((snapshot?.resolutions.count ?? 200) == 200)
            #expect(snapshot?.resolutions.values.allSatisfy { $0.value == .int(Int64(value)) } ?? true)
            #expect(try !folder.names("store").contains { $0.hasPrefix(StoredFile.temporaryPrefix) })
        }
        #expect(journal.saved > 0)
        #expect(log.all.isEmpty)
    }

    @Test func secondProcessWorksInMemoryAndSaysSoOnce() async throws {
        let first = try ProbeProcess("hold", folder.path("store"))
        #expect(first.line() == "held")

        let second = storage()
        let queue = queue(second)
        let cache = try #require(SnapshotCache(second, policy: .disk()))
        #expect(queue.batches().isEmpty)
        #expect(queue.append(id: "mine", bytes: [2]))
        cache.save(
            FlagSnapshot.received(Answers.evaluation(["a": 1]), etag: nil, for: context))
        await cache.flushed()
        #expect(await cache.loaded(for: context)?.value(for: "a", default: 0) == 1)
        #expect(queue.batches().map(\.id) == ["mine"])
        #if !(os(iOS) || os(tvOS) || os(watchOS))
            #expect(log.warnings.count == 1)
            #expect(log.warnings.first?.contains("another process") == true)
        #endif

        first.finish()
        // What the first stored is untouched, and the next to come can have it.
        let third = BatchQueue(storage())
        #expect(third.batches().map(\.id) == ["held"])
        #expect(log.warnings.count == 1)
    }

    @Test func folderIsFreeAgainWhenItsLastUserIsGone() throws {
        do {
            let queues = (queue(storage()), queue(storage()))
            #expect(queues.0.append(id: "1", bytes: [1]))
            #expect(queues.1.batches().map(\.id) == ["1"])
        }
        let other = try ProbeProcess("hold", folder.path("store"))
        #expect(other.line() == "held")
        other.finish()
    }

    @Test func diskThatTakesNoMoreLeavesOldFilesWholeAndTheRestInMemory() async throws {
        let probe = try ProbeProcess("limit", folder.path("store"))
        let lines = probe.lines()
        // In the process: everything, from memory, and one warning.
        #expect(lines.count { $0.hasPrefix("warning") } == 1)
        #expect(lines.first?.contains("full") == true)
        #expect(lines.contains("batches large-1:30000 large-2:30000 large-3:30000"))
        #expect(lines.contains("value 2"))

        // In the next: what was stored before the disk was full.
        let storage = storage()
        #expect(queue(storage).batches().isEmpty)
        let cache = try #require(SnapshotCache(storage, policy: .disk()))
        #expect(await cache.loaded(for: context)?.value(for: "flag-0", default: 0) == 1)
        #expect(try folder.names("store").filter { $0 != ".lock" }.count == 1)
    }
}
