import FlagLocking

/// A queue in memory: for tests, and where nothing can be stored.
package final class MemoryTelemetryQueue: TelemetryQueue {
    private struct Entry: Sendable {
        let id: String
        let bytes: [UInt8]
        let time: Double
    }

    private let maximumBatches: Int
    private let maximumBytes: Int
    private let maximumAge: Double
    private let now: @Sendable () -> Double
    private let entries = Lock<[Entry]>([])

    /// Makes a queue.
    ///
    /// - Parameters:
    ///   - maximumBatches: How many batches it holds. Default 5.
    ///   - maximumBytes: How many bytes it holds. Default 524,288.
    ///   - maximumAge: How old a batch may get, in seconds. Default 300.
    ///   - now: Seconds of a clock that is never set.
    package init(
        maximumBatches: Int = 5, maximumBytes: Int = 524_288, maximumAge: Double = 300,
        now: @escaping @Sendable () -> Double
    ) {
        self.maximumBatches = maximumBatches
        self.maximumBytes = maximumBytes
        self.maximumAge = maximumAge
        self.now = now
    }

    /// The ids of the batches, the oldest first.
    package var ids: [String] { entries.withLock { $0.map(\.id) } }

    /// Adds a batch, unless it is larger than all that the queue may hold.
    package func append(id: String, bytes: [UInt8]) -> Bool {
        guard bytes.count <= maximumBytes, maximumBatches > 0 else { return false }
        let entry = Entry(id: id, bytes: bytes, time: now())
        entries.withLock { entries in
            entries.removeAll { $0.id == id }
            entries.append(entry)
            var size = entries.reduce(0) { $0 + $1.bytes.count }
            while size > maximumBytes || entries.count > maximumBatches {
                size -= entries.removeFirst().bytes.count
            }
        }
        return true
    }

    /// The batch that has waited for longest, without those that are too old.
    package func oldest() -> (id: String, bytes: [UInt8])? {
        let time = now()
        return entries.withLock { entries in
            entries.removeAll { time - $0.time > maximumAge }
            return entries.first.map { ($0.id, $0.bytes) }
        }
    }

    /// Removes a batch.
    package func remove(id: String) {
        entries.withLock { $0.removeAll { $0.id == id } }
    }

    /// Removes all batches.
    package func removeAll() {
        entries.withLock { $0 = [] }
    }
}
