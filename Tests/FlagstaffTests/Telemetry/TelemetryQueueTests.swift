import FlagLocking
import Testing

@testable import Flagstaff

@Suite struct TelemetryQueueTests {
    private let clock = Lock(0.0)

    private func queue() -> MemoryTelemetryQueue {
        let clock = clock
        return MemoryTelemetryQueue(
            maximumBatches: 3, maximumBytes: 100, maximumAge: 10, now: { clock.withLock { $0 } })
    }

    @Test func givesTheOldestUntilItIsRemoved() {
        let queue = queue()
        #expect(queue.oldest() == nil)
        #expect(queue.append(id: "a", bytes: [1]))
        #expect(queue.append(id: "b", bytes: [2]))
        #expect(queue.oldest()?.id == "a")
        #expect(queue.oldest()?.bytes == [1])
        queue.remove(id: "a")
        queue.remove(id: "none")
        #expect(queue.oldest()?.id == "b")
        queue.removeAll()
        #expect(queue.oldest() == nil)
    }

    @Test func makesRoomByLettingTheOldestGo() {
        let queue = queue()
        for id in ["a", "b", "c", "d"] { #expect(queue.append(id: id, bytes: [0])) }
        #expect(queue.ids == ["b", "c", "d"])
        #expect(queue.append(id: "e", bytes: [UInt8](repeating: 0, count: 99)))
        #expect(queue.ids == ["d", "e"])
        #expect(!queue.append(id: "f", bytes: [UInt8](repeating: 0, count: 101)))
        #expect(queue.ids == ["d", "e"])
    }

    @Test func forgetsWhatIsTooOld() {
        let queue = queue()
        #expect(queue.append(id: "a", bytes: [0]))
        clock.withLock { $0 = 5 }
        #expect(queue.append(id: "b", bytes: [0]))
        clock.withLock { $0 = 11 }
        #expect(queue.oldest()?.id == "b")
    }

    @Test func theBatchesOfOneWindowDoNotPushOutEachOther() {
        let queue = queue()
        #expect(queue.append(id: "old", bytes: [0]))
        var settings = TelemetrySettings()
        settings.retainedBatches = 3
        settings.retainedBytes = 100
        let batches = (0..<6).map {
            OutgoingBatch(id: "\($0)", bytes: [UInt8](repeating: 0, count: 30), isStored: false)
        }
        #expect(
            queue.keep(batches, within: settings).map(\.isStored) == [true, true, true, false, false, false])
        #expect(queue.ids == ["0", "1", "2"])
    }
}
