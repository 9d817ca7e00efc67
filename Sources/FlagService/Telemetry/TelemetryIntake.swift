import FlagLocking
import FlagModel

/// Takes clients' reports: checks them and counts each batch once.
///
/// What is counted is in memory, and so is which batches were. Safe to use from any thread.
final class TelemetryIntake: Sendable {
    /// What became of a batch.
    enum Outcome: Hashable, Sendable {
        /// It is counted.
        case accepted
        /// It was counted before.
        case duplicate
        /// It is none that can be counted.
        case refused(TelemetryRefusal)
    }

    /// Why a batch was not counted, as metrics name it.
    enum Rejection: String, Hashable, Sendable, CaseIterable {
        /// It came as something other than JSON.
        case mediaType = "media-type"
        /// It is larger than a batch may be.
        case tooLarge = "too-large"
        /// It is no JSON.
        case malformed
        /// It is no batch, or one beyond the limits.
        case invalid
    }

    /// All counts at one moment.
    struct Counts: Hashable, Sendable {
        var accepted: UInt64 = 0
        var duplicates: UInt64 = 0
        var rejected: [Rejection: UInt64] = [:]
        var reads: UInt64 = 0
        /// Reads that gave the code's default.
        var defaultReads: UInt64 = 0
        /// Reads of flags that the service does not have.
        var unknownFlagReads: UInt64 = 0
        var events: UInt64 = 0
        var droppedReads: UInt64 = 0
        var droppedEvents: UInt64 = 0
    }

    private struct State: Sendable {
        var counts = Counts()
        var ledger: BatchLedger
    }

    private let limits: TelemetryLimits
    private let state: Lock<State>

    /// Makes an intake.
    ///
    /// - Parameters:
    ///   - limits: What a batch may hold.
    ///   - rememberedBatches: How many batches are remembered as counted, at least. Default 100,000.
    init(limits: TelemetryLimits = TelemetryLimits(), rememberedBatches: Int = 100_000) {
        self.limits = limits
        state = Lock(State(ledger: BatchLedger(capacity: rememberedBatches)))
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// Takes a batch in its wire form.
    ///
    /// - Parameters:
    ///   - body: The bytes.
    ///   - owner: Whom the batch is from: the id of the key, or empty where there are no keys.
    /// - Returns: What became of it.
    func take(_ body: [UInt8], from owner: String) -> Outcome {
        let batch: TelemetryBatch
        do throws(TelemetryRefusal) {
            batch = try TelemetryBatch.decode(body, limits: limits)
        } catch {
            reject(Rejection(error.kind))
            return .refused(error)
        }
        let sums = Counts(of: batch)
        return state.withLock { state in
            guard state.ledger.enter(batch.id, of: owner) else {
                state.counts.duplicates += 1
                return .duplicate
            }
            state.counts.add(sums)
            return .accepted
        }
    }

    /// Counts a request that brought no batch.
    func reject(_ reason: Rejection) {
        state.withLock { $0.counts.rejected[reason, default: 0] += 1 }
    }
}

extension TelemetryIntake.Rejection {
    fileprivate init(_ kind: TelemetryRefusal.Kind) {
        switch kind {
        case .tooLarge: self = .tooLarge
        case .malformed: self = .malformed
        case .invalid: self = .invalid
        }
    }
}

extension TelemetryIntake.Counts {
    /// What one batch holds.
    fileprivate init(of batch: TelemetryBatch) {
        self.init()
        accepted = 1
        events = UInt64(batch.eventCount)
        droppedReads = batch.droppedReads
        droppedEvents = batch.droppedEvents
        for group in batch.groups {
            for evaluation in group.evaluations {
                reads = reads.addingClamped(evaluation.count)
                if evaluation.isDefault { defaultReads = defaultReads.addingClamped(evaluation.count) }
                if evaluation.errorCode == FlagErrorCode.flagNotFound.rawValue {
                    unknownFlagReads = unknownFlagReads.addingClamped(evaluation.count)
                }
            }
        }
    }

    /// Sums stay at the largest number where they do not fit: a client can report any.
    fileprivate mutating func add(_ other: TelemetryIntake.Counts) {
        accepted += other.accepted
        reads = reads.addingClamped(other.reads)
        defaultReads = defaultReads.addingClamped(other.defaultReads)
        unknownFlagReads = unknownFlagReads.addingClamped(other.unknownFlagReads)
        events = events.addingClamped(other.events)
        droppedReads = droppedReads.addingClamped(other.droppedReads)
        droppedEvents = droppedEvents.addingClamped(other.droppedEvents)
    }
}
