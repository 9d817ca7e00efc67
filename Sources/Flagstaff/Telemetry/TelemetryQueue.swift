/// A batch on its way: the bytes that are sent, and sent again, as they are.
package struct OutgoingBatch: Hashable, Sendable {
    /// The batch's id, a UUID in text form.
    package var id: String
    /// The batch in its wire form.
    package var bytes: [UInt8]
    /// Whether the queue holds it too.
    package var isStored: Bool

    /// Makes a batch.
    package init(id: String, bytes: [UInt8], isStored: Bool) {
        self.id = id
        self.bytes = bytes
        self.isStored = isStored
    }
}

/// Where batches wait for their delivery, also through the end of the process.
///
/// The queue keeps to its own limits in number, bytes and age: what is too old is gone, and the oldest make room for
/// the new. Calls may block; they come one at a time, never on a thread of the cooperative pool. Faults are the
/// queue's own business: it logs them once and gives what it can.
package protocol TelemetryQueue: Sendable {
    /// Adds a batch; when this returns `true`, the batch survives the process as well as the queue can make it.
    ///
    /// - Parameters:
    ///   - id: The batch's id, a UUID in text form.
    ///   - bytes: The batch in its wire form.
    /// - Returns: Whether the queue holds it.
    func append(id: String, bytes: [UInt8]) -> Bool

    /// The batch that has waited for longest, without those that are too old.
    func oldest() -> (id: String, bytes: [UInt8])?

    /// Removes a batch; nothing happens when there is none with that id.
    ///
    /// It is not given again, also where it could not be deleted; at the next start of the process it may be.
    func remove(id: String)

    /// Removes all batches.
    func removeAll()
}

extension TelemetryQueue {
    /// Adds the batches of one window as far as they fit the limits among themselves, so that the last do not push out
    /// the first.
    ///
    /// - Returns: The batches, with what is stored marked as that.
    func keep(_ batches: [OutgoingBatch], within settings: TelemetrySettings) -> [OutgoingBatch] {
        var room = settings.retainedBytes
        var count = 0
        return batches.map { batch in
            var batch = batch
            guard count < settings.retainedBatches, batch.bytes.count <= room else { return batch }
            batch.isStored = append(id: batch.id, bytes: batch.bytes)
            if batch.isStored {
                count += 1
                room -= batch.bytes.count
            }
            return batch
        }
    }
}
