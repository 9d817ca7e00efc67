import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite struct BatchQueueTests {
    private let time = SettableTime()
    private let log = StorageLog()
    private let memory: MemoryFlagStorage
    private let base: FaultyStorage

    init() {
        let time = time
        memory = MemoryFlagStorage(now: { time.now().wall })
        base = FaultyStorage(memory)
    }

    /// The queue of a process that starts now.
    private func queue(count: Int = 5, bytes: Int = 1_000, age: Double = 300) -> BatchQueue {
        BatchQueue(
            ClientStorage(base, logger: log, time: time), maximumBatches: count, maximumBytes: bytes,
            maximumAge: age)
    }

    private func ids(_ queue: BatchQueue) -> [String] { queue.batches().map(\.id) }

    // MARK: Delivery

    @Test func givesTheOldestByteForByteUntilItIsRemoved() {
        let queue = queue()
        #expect(queue.oldest() == nil)
        let all = (0...255).map { UInt8($0) }
        #expect(queue.append(id: "1", bytes: all))
        #expect(queue.append(id: "2", bytes: []))
        #expect(queue.append(id: "3", bytes: Array("{\n}\n".utf8)))
        #expect(queue.oldest()?.bytes == all)
        queue.remove(id: "1")
        queue.remove(id: "unknown")
        #expect(queue.oldest()?.id == "2")
        #expect(queue.oldest()?.bytes == [])
        #expect(queue.batches().last?.bytes == Array("{\n}\n".utf8))
        queue.removeAll()
        #expect(queue.oldest() == nil)
        #expect(log.all.isEmpty)
    }

    @Test func nextRunGoesOnWhereTheLastEnded() throws {
        let ids = ["9F0C1B9A-0000-4000-8000-000000000001", "b / ü \"\n", ""]
        for id in ids { #expect(queue().append(id: id, bytes: Array(id.utf8))) }
        #expect(queue().batches().map(\.id) == ids)
        #expect(queue().batches().map(\.bytes) == ids.map { Array($0.utf8) })
        // Also one that this run has not read yet.
        queue().remove(id: ids[1])
        #expect(self.ids(queue()) == [ids[0], ids[2]])
        #expect(queue().append(id: ids[0], bytes: [1]))
        #expect(self.ids(queue()) == [ids[2], ids[0]])
        #expect(try memory.entries().count == 2)
    }

    @Test func otherFilesAreLeftAlone() throws {
        for name in ["snapshot-1", "batch-1", "batch-000000000000000z-\(String(repeating: "0", count: 32))"] {
            try memory.write([1], as: name)
        }
        let queue = queue()
        #expect(queue.append(id: "1", bytes: [1]))
        #expect(ids(queue) == ["1"])
        #expect(try memory.entries().count == 4)
    }

    @Test func damagedFileCostsItselfAlone() throws {
        let queue = queue()
        for id in ["1", "2", "3"] { #expect(queue.append(id: id, bytes: Array(id.utf8))) }
        let names = try memory.entries().map(\.name).sorted()
        let bytes = try #require(try memory.read(names[1]))
        try memory.write(Array(bytes.dropLast()), as: names[1])
        try memory.remove(names[2])
        #expect(ids(self.queue()) == ["1"])
        #expect(log.all == ["undelivered reports were dropped: 1 damaged on disk"])
    }

    @Test func everyTruncationAndFlippedByteOfAFileIsNoticed() {
        let batch = StoredBatch(id: "1", bytes: Array("{\"a\":1}\n\n".utf8))
        let file = batch.file
        #expect(StoredBatch(file: file) == batch)
        for count in 0..<file.count { #expect(StoredBatch(file: Array(file.prefix(count))) == nil) }
        for index in file.indices {
            var damaged = file
            damaged[index] ^= 0x20
            #expect(StoredBatch(file: damaged) == nil)
        }
    }

    // MARK: Limits

    @Test func oldestMakesRoomAndThatIsSaidOnce() throws {
        let queue = queue(count: 2)
        for id in ["1", "2", "3", "4"] { #expect(queue.append(id: id, bytes: [1])) }
        #expect(ids(queue) == ["3", "4"])
        #expect(try memory.entries().count == 2)
        #expect(log.warnings.count == 2)
        #expect(!queue.append(id: "5", bytes: [UInt8](repeating: 0, count: 1_001)))
        #expect(queue.append(id: "6", bytes: [UInt8](repeating: 0, count: 1_000)))
        #expect(ids(queue) == ["6"])
        // What a file adds to its batch does not count, in this run or the next.
        #expect(ids(self.queue(count: 2)).count == 1)
    }

    @Test func aBatchAsLargeAsItMayBeOutlivesTheRun() {
        let bytes = [UInt8](repeating: 7, count: 1_000)
        #expect(queue().append(id: "9f0c1b9a-0000-4000-8000-000000000001", bytes: bytes))
        #expect(queue().oldest()?.bytes == bytes)
    }

    @Test func nextRunKeepsToSmallerLimits() throws {
        let queue = queue()
        for id in ["1", "2", "3", "4"] { #expect(queue.append(id: id, bytes: [1])) }
        #expect(ids(self.queue(count: 2)) == ["3", "4"])
        #expect(try memory.entries().count == 2)
        #expect(log.all == ["undelivered reports were dropped: 2 for want of room"])
    }

    @Test func ageIsMeasuredByAClockThatIsNeverSet() {
        let queue = queue()
        #expect(queue.append(id: "1", bytes: [1]))
        time.set(by: 86400)
        time.advance(by: 200)
        #expect(queue.append(id: "2", bytes: [1]))
        #expect(ids(queue) == ["1", "2"])
        time.set(by: -365 * 86400)
        time.advance(by: 101)
        #expect(queue.oldest()?.id == "2")
        #expect(log.all == ["undelivered reports were dropped: 1 too old"])
        time.advance(by: 200)
        #expect(queue.oldest() == nil)
    }

    @Test func ageGoesOnAcrossRuns() {
        #expect(queue().append(id: "1", bytes: [1]))
        time.advance(by: 200)
        #expect(queue().append(id: "2", bytes: [1]))
        time.advance(by: 101)
        #expect(ids(queue()) == ["2"])
        // A clock that was set back makes nothing younger than now.
        time.set(by: -86400)
        let later = queue()
        #expect(ids(later) == ["2"])
        time.advance(by: 301)
        #expect(ids(later) == [])
    }

    // MARK: Faults

    @Test func fullDiskKeepsBatchesInMemory() {
        base.fail { $0.writes = true }
        let queue = queue(count: 2)
        for id in ["1", "2", "3"] { #expect(queue.append(id: id, bytes: Array(id.utf8))) }
        #expect(ids(queue) == ["2", "3"])
        queue.remove(id: "2")
        #expect(queue.oldest()?.bytes == Array("3".utf8))
        #expect(log.warnings.count { !$0.hasPrefix("undelivered") } == 1)
        base.fail { $0.writes = false }
        #expect(queue.append(id: "4", bytes: [4]))
        #expect(ids(self.queue()) == ["4"])
    }

    @Test func batchThatCannotBeRemovedIsNotGivenAgain() {
        let queue = queue()
        #expect(queue.append(id: "1", bytes: [1]))
        base.fail { $0.removals = true }
        queue.remove(id: "1")
        #expect(queue.oldest() == nil)
        queue.removeAll()
        #expect(queue.oldest() == nil)
        #expect(log.warnings.count == 1)
    }

    @Test func canBeUsedFromSeveralThreads() {
        let queue = queue(count: 1_000, bytes: 1_000_000)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<20 {
                _ = queue.append(id: "\(thread)-\(round)", bytes: [UInt8(thread), UInt8(round)])
                if round % 2 == 1 { queue.remove(id: "\(thread)-\(round)") }
                _ = queue.oldest()
            }
        }
        #expect(ids(queue).count == 80)
        #expect(Set(ids(self.queue(count: 1_000, bytes: 1_000_000))) == Set(ids(queue)))
    }
}
