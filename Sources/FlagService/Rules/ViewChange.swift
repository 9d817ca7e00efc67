import FlagEvaluation
import FlagModel

/// What differs between two selections, found once and used for every stream that goes from one to the other.
struct ViewChange: Sendable {
    /// A flag that is new or defined in another way.
    struct Changed: Sendable {
        var former: CompiledFlag?
        var present: CompiledFlag
    }

    let former: FlagSelection
    let present: FlagSelection
    let changed: [Changed]
    /// Keys that are there no more.
    let removed: [String]
    /// The present metadata where it differs.
    let metadata: [String: FlagValue]?

    init(from former: FlagSelection, to present: FlagSelection) {
        self.former = former
        self.present = present
        // By bytes: as strings, two keys that differ only in Unicode normalization would be one.
        var formerFlags: [[UInt8]: CompiledFlag] = [:]
        for flag in former.flags { formerFlags[Array(flag.key.utf8)] = flag }
        var changed: [Changed] = []
        for flag in present.flags {
            let before = formerFlags.removeValue(forKey: Array(flag.key.utf8))
            if before?.fingerprint != flag.fingerprint {
                changed.append(Changed(former: before, present: flag))
            }
        }
        self.changed = changed
        removed = formerFlags.values.map(\.key).sorted()
        metadata = former.metadata == present.metadata ? nil : present.metadata
    }
}
