private import Dispatch
import FlagLocking
package import FlagModel
private import Foundation

/// The values of the contexts that were in effect last, stored for the next start.
///
/// No call waits: what reads and writes happens on the storage's queue, one after the other. A fault costs the cached
/// values and a line in the log, never more. Values are served up to an age by the device's clock, and are left alone
/// while they look too old: a clock that is wrong at the start of a device loses nothing. What is to go is decided when
/// the next values are stored, which the service has just sent: over TLS that takes a clock that is about right. Values
/// of the future, from a time when the clock was ahead, are taken as received now, so that they age from now on.
package final class SnapshotCache: SnapshotKeeping {
    private struct State: Sendable {
        /// What is to be stored, by name; the newest of a context only.
        var pending: [String: FlagSnapshot] = [:]
        /// The names in `pending`, in the order in which they came.
        var order: [String] = []
        /// Whether the next turn on the queue is asked for.
        var isScheduled = false
        /// What was stored last.
        var last: (name: String, snapshot: FlagSnapshot)?
    }

    private let owner: ClientStorage
    private let limits: SnapshotLimits
    private let flagSets: [String]
    private let state = Lock(State())

    /// The cache of a client; `nil` where the policy is to have none.
    ///
    /// - Parameters:
    ///   - storage: Where the values are stored.
    ///   - policy: How many are kept for how long.
    ///   - flagSets: The flag sets that the client asks for; empty for all. Other sets have other values.
    package convenience init?(_ storage: ClientStorage, policy: FlagCachePolicy, flagSets: [String] = []) {
        if policy.form == .off { return nil }
        self.init(
            storage, limits: SnapshotLimits(contexts: policy.contexts, age: policy.age), flagSets: flagSets)
    }

    /// A cache with limits of its own.
    init(_ storage: ClientStorage, limits: SnapshotLimits, flagSets: [String] = []) {
        owner = storage
        self.limits = limits
        self.flagSets = flagSets
    }

    // MARK: Calls

    /// Looks for a context's values.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - completion: Called once, on the storage's queue, with the values or `nil`. Their ``FlagSnapshot/updated`` is
    ///     when the service sent or confirmed them, and never later than now.
    package func load(
        for context: FlagContext, completion: @escaping @Sendable (FlagSnapshot?) -> Void
    ) {
        owner.perform(isAwaited: true) { storage in
            let digest = StoredSnapshot.digest(of: context, flagSets: self.flagSets)
            let name = Self.name(digest)
            if let pending = self.state.withLock({ $0.pending[name] }) {
                return completion(FlagSnapshot.empty.restored(from: pending))
            }
            guard let bytes = storage.read(name) else { return completion(nil) }
            guard let found = self.usable(bytes, context, digest, storage) else { return completion(nil) }
            completion(found.snapshot)
            // Nobody waits for the rest.
            if found.isOfFuture {
                storage.write(StoredSnapshot.bytes(of: found.snapshot, contextDigest: digest), as: name)
            } else {
                self.markUsed(name, bytes, storage)
            }
        }
    }

    /// Stores a context's values, soon; of several saves in a row the last is stored.
    ///
    /// Values that are stale, and those of before the first answer, are not stored. Nor are values that are overridden
    /// or built in: hand over what the service sent.
    ///
    /// - Parameter snapshot: The values.
    package func save(_ snapshot: FlagSnapshot) {
        guard snapshot.isReady, !snapshot.isStale else { return }
        let name = Self.name(StoredSnapshot.digest(of: snapshot.context, flagSets: flagSets))
        let isFirst = state.withLock { state in
            if state.pending.updateValue(snapshot, forKey: name) == nil { state.order.append(name) }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { owner.perform { self.takeTurn($0) } }
    }

    /// Forgets all contexts' values, those too that are about to be stored.
    package func removeAll() {
        state.withLock { state in
            state.pending = [:]
            state.order = []
            state.last = nil
        }
        owner.perform { storage in
            for entry in storage.entries(Self.prefix) { storage.remove(entry.name) }
        }
    }

    /// Tells when everything is stored that was to be at the time of the call.
    ///
    /// - Parameter completion: Called once, on the storage's queue.
    package func flush(_ completion: @escaping @Sendable () -> Void) {
        owner.perform(isAwaited: true) { storage in
            while self.storeNext(storage) {}
            completion()
        }
    }

    // MARK: On the queue

    /// The values, if they can be served, and whether they are dated later than now.
    private func usable(
        _ bytes: [UInt8], _ context: FlagContext, _ digest: String, _ storage: DependableStorage
    ) -> (snapshot: FlagSnapshot, isOfFuture: Bool)? {
        guard
            let snapshot = StoredSnapshot.snapshot(from: bytes, context: context, contextDigest: digest),
            let updated = snapshot.updated
        else {
            owner.logger.warning("stored flag values are damaged or of another version: they are passed over")
            remove(Self.name(digest), storage)
            return nil
        }
        let now = owner.time.now().wall
        let age = now - updated.timeIntervalSince1970
        if age > limits.age {
            owner.logger.info("stored flag values are \(Int(min(age / 86400, 1e6))) days old and not used")
            return nil
        }
        if age >= 0 { return (snapshot, false) }
        return (snapshot.confirmed(etag: snapshot.etag, time: Date(timeIntervalSince1970: now)), true)
    }

    /// Lets a file be the one that was written last, so that it is the last to go.
    private func markUsed(_ name: String, _ bytes: [UInt8], _ storage: DependableStorage) {
        let entries = storage.entries(Self.prefix)
        guard let entry = entries.first(where: { $0.name == name }) else { return }
        if entries.contains(where: { $0.modified > entry.modified }) { storage.write(bytes, as: name) }
    }

    /// Stores one context's values and gets in line again, so that whoever looks for others waits for one write at most.
    private func takeTurn(_ storage: DependableStorage) {
        storeNext(storage)
        let isMore = state.withLock { state in
            state.isScheduled = !state.order.isEmpty
            return state.isScheduled
        }
        if isMore { owner.perform { self.takeTurn($0) } }
    }

    /// Stores what has waited for longest; returns whether there was anything.
    @discardableResult
    private func storeNext(_ storage: DependableStorage) -> Bool {
        let next: (name: String, snapshot: FlagSnapshot)? = state.withLock { state in
            guard !state.order.isEmpty else { return nil }
            let name = state.order.removeFirst()
            return state.pending.removeValue(forKey: name).map { (name, $0) }
        }
        guard let next else { return false }
        if let last = state.withLock({ $0.last }), last.name == next.name,
            next.snapshot.isStored(as: last.snapshot)
        {
            return true
        }
        let digest = StoredSnapshot.digest(of: next.snapshot.context, flagSets: flagSets)
        let bytes = StoredSnapshot.bytes(of: next.snapshot, contextDigest: digest)
        if bytes.count > limits.bytes {
            owner.logger.warning(
                "the flags of a context take \(bytes.count) bytes and are not cached: at most \(limits.bytes) are"
            )
            remove(next.name, storage)
            return true
        }
        storage.write(bytes, as: next.name)
        state.withLock { $0.last = next }
        tidy(sparing: next.name, storage)
        return true
    }

    /// Removes a context's values, so that the same ones are stored when they come again.
    private func remove(_ name: String, _ storage: DependableStorage) {
        storage.remove(name)
        state.withLock { if $0.last?.name == name { $0.last = nil } }
    }

    /// Removes what is over the limits.
    private func tidy(sparing name: String, _ storage: DependableStorage) {
        let verdict = limits.verdict(
            on: storage.entries(Self.prefix), sparing: name, now: owner.time.now().wall)
        for name in verdict.removed { storage.remove(name) }
        for name in verdict.renewed {
            if let bytes = storage.read(name) { storage.write(bytes, as: name) }
        }
        owner.removeUnusedFolders()
    }

    // MARK: Names

    private static let prefix = "snapshot-"

    private static func name(_ digest: String) -> String {
        prefix + digest.prefix(32)
    }
}

extension FlagSnapshot {
    /// Whether storing this snapshot would change no more than the time, and that by less than an hour.
    ///
    /// A client that polls confirms the same values again and again, and flash memory wears out.
    fileprivate func isStored(as former: FlagSnapshot) -> Bool {
        guard let updated, let formerly = former.updated else { return false }
        let age = updated.timeIntervalSince(formerly)
        return age >= 0 && age < 3600 && etag == former.etag && metadata == former.metadata
            && resolutions == former.resolutions
    }
}
