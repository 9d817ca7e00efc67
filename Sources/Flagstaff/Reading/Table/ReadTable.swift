import CFlagAtomics
import FlagLocking
import FlagModel
private import Foundation

/// What a client's reads read from and are counted in: one for each client.
///
/// A read of a Boolean or a number finds its cell by the key, and takes the value and counts itself with one atomic
/// instruction. It does not lock, allocate, or write to memory that threads on other stripes write to. A read of text
/// or of another type pins the object it reads from for the moment that it takes to retain it. What does not find an
/// open cell, such as the first read of a flag, goes through the lock (``ReadTableState``).
///
/// Names that are read are remembered, unknown ones up to a limit; reads of further unknown names are counted under
/// ``otherNames``.
final class ReadTable: Sendable {
    /// The key under which reads of unknown names are counted beyond the limit.
    static let otherNames = "*"

    let index: CellIndex
    let literals: LiteralIndex
    let hash: KeyHash
    let stripeMask: UInt32
    let snapshotCell: ReadCell
    let state: Lock<ReadTableState>

    /// Makes a table without values.
    ///
    /// - Parameters:
    ///   - stripeCount: Over how many stripes threads are spread, a power of two. Default: 8, or 16 where there are more
    ///     than 8 processors.
    ///   - unknownNameLimit: How many names are remembered that the service has no flag for. Default 20,000.
    init(stripeCount: Int = ReadTable.usualStripeCount, unknownNameLimit: Int = 20_000) {
        let hash = KeyHash(seed: Self.seed)
        let made = ReadTableState(
            stripeCount: stripeCount, hash: hash, unknownNameLimit: unknownNameLimit)
        index = made.index.index
        literals = made.literals.index
        snapshotCell = made.snapshotCell
        self.hash = hash
        stripeMask = UInt32(stripeCount - 1)
        state = Lock(made)
    }

    deinit {
        state.withLock { $0.free() }
    }

    /// 8, or 16 where there are more than 8 processors: threads that read at the same time seldom share one.
    static let usualStripeCount = ProcessInfo.processInfo.activeProcessorCount > 8 ? 16 : 8

    private static let seed = UInt64.random(in: .min ... .max)

    /// The stripe of the calling thread.
    @inline(__always)
    var stripe: Int { Int(truncatingIfNeeded: flag_thread_number() & stripeMask) }

    // MARK: Values

    /// The values in effect.
    func load() -> FlagSnapshot {
        let stripe = stripe
        guard case .object(let address, _, let pinned) = snapshotCell.pin(stripe, counting: 0) else {
            return state.withLock { state in
                state.openSnapshot(stripe)
                return state.snapshot
            }
        }
        let contents: FlagSnapshot.Contents = Self.object(address)
        unpin(snapshotCell, stripe, since: pinned)
        return FlagSnapshot(contents: contents)
    }

    /// Puts other values in effect: every read that starts after this call gives them.
    func store(_ snapshot: FlagSnapshot) {
        let letGo = state.withLock { $0.replace(by: snapshot) }
        // That can take as long as there are flags.
        withExtendedLifetime(letGo) {}
    }

    // MARK: Counts

    /// All reads since the last time, each in the count of its result and context.
    ///
    /// Any number of threads may read, store and drain at the same time: each read is in exactly one answer.
    func drain() -> [CountedRead] {
        state.withLock { $0.drain() }.counts()
    }

    /// Whether reads are counted.
    ///
    /// Default `true`. Setting it drops what was counted before.
    var isCounting: Bool {
        get { state.withLock { $0.isCounting } }
        set {
            let dropped = state.withLock { state in
                // What the cells hold belongs to the time before.
                let dropped = state.drain()
                state.isCounting = newValue
                return dropped
            }
            withExtendedLifetime(dropped) {}
        }
    }

    // MARK: Pins

    /// Retains the object of a pinned cell.
    @inline(__always)
    static func object<Object: AnyObject>(_ address: UInt) -> Object {
        Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped).takeUnretainedValue()
    }

    /// Gives a pinned object free.
    @inline(__always)
    func unpin(_ cell: ReadCell, _ stripe: Int, since pinned: CountWord) {
        if !cell.unpin(stripe, since: pinned) { release(cell, since: pinned) }
    }

    @inline(never)
    private func release(_ cell: ReadCell, since pinned: CountWord) {
        let letGo = state.withLock { $0.release(cell, since: pinned) }
        withExtendedLifetime(letGo) {}
    }
}
