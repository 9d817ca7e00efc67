/// What a change did to a client's values: all of them before and after, each as one consistent set.
public struct FlagChange: Sendable {
    /// The values before.
    public let former: FlagSnapshot
    /// The values after.
    public let snapshot: FlagSnapshot
    /// The keys of the flags that were added, removed or evaluate differently, sorted.
    ///
    /// A flag evaluates differently when its value, variant, reason, error or metadata differs.
    public let changedKeys: [String]

    init(former: FlagSnapshot, snapshot: FlagSnapshot, changedKeys: [String]) {
        self.former = former
        self.snapshot = snapshot
        self.changedKeys = changedKeys
    }

    /// The keys of those flags whose value is another one, sorted: what is worth a redraw.
    ///
    /// Left out are flags of which only variant, reason or metadata changed.
    public var changedValueKeys: [String] {
        changedKeys.filter { former.resolutions[$0]?.value != snapshot.resolutions[$0]?.value }
    }

    /// This change and a later one as one.
    ///
    /// What the later one undid still has its key here; ``settled()`` takes it out.
    func merged(with later: FlagChange) -> FlagChange {
        FlagChange(
            former: former, snapshot: later.snapshot,
            changedKeys: Array(Set(changedKeys).union(later.changedKeys)))
    }

    /// This change and a later one as one, without keys, for those who know which flag they look at.
    func extended(to later: FlagChange) -> FlagChange {
        FlagChange(former: former, snapshot: later.snapshot, changedKeys: [])
    }

    /// The change with the keys of what really differs; `nil` when nothing does.
    func settled() -> FlagChange? {
        let keys = changedKeys.filter { former.resolutions[$0] != snapshot.resolutions[$0] }.sorted()
        return keys.isEmpty ? nil : FlagChange(former: former, snapshot: snapshot, changedKeys: keys)
    }
}

extension FlagChange: CustomStringConvertible {
    /// How many flags changed: nothing personal, fit for logs.
    public var description: String { "FlagChange(\(changedKeys.count) flags, to \(snapshot))" }
}
