/// How much of former contexts' values is kept.
struct SnapshotLimits: Hashable, Sendable {
    /// How many contexts.
    ///
    /// At least 1.
    var contexts = 10
    /// How many bytes in all.
    ///
    /// Default 4 MiB.
    var bytes = 4 << 20
    /// How many seconds.
    ///
    /// Default 30 days.
    var age = 30.0 * 86400

    /// How far ahead of the clock a time can be that the clock itself gave, in seconds.
    static let clockTolerance = 3600.0

    /// What is to be done about the files of a cache.
    struct Verdict: Hashable, Sendable {
        /// What goes.
        var removed: [String] = []
        /// What is written anew, as its time is of the future: it would seem to be used last for as long.
        var renewed: [String] = []
    }

    /// Decides what is kept: the most recently used, as far as they fit.
    ///
    /// - Parameters:
    ///   - entries: The files.
    ///   - name: The file that was just written; it is kept in any case, whatever the clock says of it.
    ///   - now: Seconds since 1970.
    /// - Returns: What goes and what is renewed.
    func verdict(on entries: [FlagStorageEntry], sparing name: String, now: Double) -> Verdict {
        var verdict = Verdict()
        var room = bytes
        var count = 0
        // Names break ties, so that the order of a listing decides nothing.
        let byUse = entries.sorted { left, right in
            if (left.name == name) != (right.name == name) { return left.name == name }
            return left.modified == right.modified ? left.name < right.name : left.modified > right.modified
        }
        for entry in byUse {
            let isOld = now - entry.modified > age
            if entry.name != name, isOld || count >= contexts || entry.size > room {
                verdict.removed.append(entry.name)
                continue
            }
            count += 1
            room -= entry.size
            if entry.modified > now + Self.clockTolerance { verdict.renewed.append(entry.name) }
        }
        return verdict
    }
}
