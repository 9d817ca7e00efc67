private import Dispatch
import FlagLocking
private import Foundation

/// Batches on their way to the service, one file each: what was appended outlives the process until it is removed.
///
/// Every call waits for the storage, so none belongs on the main thread or a thread of the cooperative pool, nor on the
/// storage's own queue. What the limits let go of is said in one line of the log.
package final class BatchQueue: TelemetryQueue {
    private struct State: Sendable {
        var ledger: BatchLedger
        /// The names by id.
        var names: [String: String] = [:]
        var lastSequence: UInt64 = 0
        var isOpen = false
    }

    private let owner: ClientStorage
    /// Taken out and put back on the storage's queue alone, where calls come one at a time.
    private let state: Lock<State>

    /// A queue in a client's storage, with the batches that are there.
    ///
    /// - Parameters:
    ///   - storage: Where the batches are stored.
    ///   - maximumBatches: How many are kept. Default 5.
    ///   - maximumBytes: How many bytes are kept in all. Default 524,288.
    ///   - maximumAge: How old a batch may get, in seconds. Default 300. In one run of the app it is measured by a clock
    ///     that is never set, and across runs by the device's clock.
    package init(
        _ storage: ClientStorage, maximumBatches: Int = 5, maximumBytes: Int = 524_288,
        maximumAge: Double = 300
    ) {
        owner = storage
        let limits = BatchLedger.Limits(count: maximumBatches, bytes: maximumBytes, age: maximumAge)
        state = Lock(State(ledger: BatchLedger(limits: limits)))
    }

    /// A queue with the caps of a client.
    convenience init(_ storage: ClientStorage, _ settings: TelemetrySettings) {
        self.init(
            storage, maximumBatches: settings.retainedBatches, maximumBytes: settings.retainedBytes,
            maximumAge: settings.retainedAge)
    }

    // MARK: Calls

    /// Adds a batch, in place of one with the same id; on return it is on the disk, if there is one to be written.
    ///
    /// - Parameters:
    ///   - id: The batch's id.
    ///   - bytes: The batch, of any form.
    /// - Returns: Whether the queue holds it: not one that is larger than all that the queue may hold.
    package func append(id: String, bytes: [UInt8]) -> Bool {
        onQueue { state, storage in
            guard state.ledger.canHold(bytes.count) else { return false }
            state.lastSequence += 1
            let name = StoredBatch.name(sequence: state.lastSequence, id: id)
            // Written before anything makes room for it: one too many is better than one too few.
            storage.write(StoredBatch(id: id, bytes: bytes).file, as: name)
            if let former = state.names[id] ?? self.name(ofUnread: id, state) {
                state.ledger.remove(former)
                storage.remove(former)
            }
            state.names[id] = name
            let entry = BatchLedger.Entry(name: name, size: bytes.count, time: owner.time.now().uptime)
            letGo(of: state.ledger.add(entry), &state, storage)
            return true
        }
    }

    /// The batch that has waited for longest, without those that are too old.
    ///
    /// - Returns: The batch, byte for byte as it was appended, or `nil` when there is none.
    package func oldest() -> (id: String, bytes: [UInt8])? {
        onQueue { state, storage in
            letGo(of: state.ledger.expire(at: owner.time.now().uptime), &state, storage)
            while let entry = state.ledger.entries.first {
                if let batch = read(entry, &state, storage) { return (batch.id, batch.bytes) }
            }
            return nil
        }
    }

    /// All batches, the oldest first, without those that are too old.
    package func batches() -> [(id: String, bytes: [UInt8])] {
        onQueue { state, storage in
            letGo(of: state.ledger.expire(at: owner.time.now().uptime), &state, storage)
            return state.ledger.entries.compactMap { entry in
                read(entry, &state, storage).map { ($0.id, $0.bytes) }
            }
        }
    }

    /// Removes a batch; nothing happens when there is none with that id.
    package func remove(id: String) {
        onQueue { state, storage in
            // One of an earlier run has told its id only if it was read.
            guard let name = state.names.removeValue(forKey: id) ?? name(ofUnread: id, state) else { return }
            state.ledger.remove(name)
            storage.remove(name)
        }
    }

    /// Removes all batches.
    package func removeAll() {
        onQueue { state, storage in
            for entry in storage.entries(StoredBatch.namePrefix) { storage.remove(entry.name) }
            state.ledger.removeAll()
            state.names = [:]
        }
    }

    // MARK: On the queue

    private func onQueue<Result>(_ body: (inout State, DependableStorage) -> Result) -> Result {
        owner.wait { storage in
            // Files are not read and written inside a lock, and the queue is guard enough.
            var state = self.state.withLock { $0 }
            if !state.isOpen { open(&state, storage) }
            let result = body(&state, storage)
            report(&state)
            self.state.withLock { $0 = state }
            return result
        }
    }

    /// Takes over what an earlier run left.
    private func open(_ state: inout State, _ storage: DependableStorage) {
        state.isOpen = true
        let now = owner.time.now()
        var found: [(sequence: UInt64, entry: BatchLedger.Entry)] = []
        for entry in storage.entries(StoredBatch.namePrefix) {
            guard let sequence = StoredBatch.sequence(ofName: entry.name) else { continue }
            // A time in the future says nothing about the age: it counts from now.
            let age = max(0, now.wall - entry.modified)
            let size = max(0, entry.size - StoredBatch.overhead)
            found.append(
                (sequence, BatchLedger.Entry(name: entry.name, size: size, time: now.uptime - age)))
        }
        found.sort { ($0.sequence, $0.entry.name) < ($1.sequence, $1.entry.name) }
        state.lastSequence = min(found.last?.sequence ?? 0, .max / 2)
        letGo(of: state.ledger.adopt(found.map(\.entry), at: now.uptime), &state, storage)
    }

    /// The batch of an entry; `nil`, and off the list, when it is damaged or gone.
    private func read(
        _ entry: BatchLedger.Entry, _ state: inout State, _ storage: DependableStorage
    ) -> StoredBatch? {
        guard let file = storage.read(entry.name) else {
            // Another client of this process with the same files was quicker.
            state.ledger.remove(entry.name)
            return nil
        }
        guard let batch = StoredBatch(file: file) else {
            state.ledger.removeDamaged(entry.name)
            storage.remove(entry.name)
            return nil
        }
        state.names[batch.id] = entry.name
        return batch
    }

    private func name(ofUnread id: String, _ state: State) -> String? {
        let digest = StoredBatch.name(sequence: 0, id: id).suffix(33)
        return state.ledger.entries.first { $0.name.hasSuffix(digest) }?.name
    }

    private func letGo(of names: [String], _ state: inout State, _ storage: DependableStorage) {
        if names.isEmpty { return }
        for name in names { storage.remove(name) }
        let gone = Set(names)
        state.names = state.names.filter { !gone.contains($0.value) }
    }

    private func report(_ state: inout State) {
        let losses = state.ledger.takeLosses()
        if !losses.isEmpty { owner.logger.warning("undelivered reports were dropped: \(losses)") }
    }
}
