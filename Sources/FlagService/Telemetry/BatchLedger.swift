import FlagModel

/// Remembers which batches were counted, the latest ones: bounded, and no id of one key stands for one of another.
///
/// Two generations: when the young one is full it becomes the old one, and what was old is forgotten. So at least as
/// many ids as a generation holds are remembered, and at most twice as many; 16 bytes each, and what a set needs.
struct BatchLedger: Sendable {
    private let capacity: Int
    private var young: Set<Fingerprint> = []
    private var old: Set<Fingerprint> = []

    /// Makes a ledger.
    ///
    /// - Parameter capacity: How many ids are remembered at least. Default 100,000.
    init(capacity: Int = 100_000) {
        self.capacity = max(1, capacity)
    }

    /// How many ids are remembered.
    var count: Int { young.count + old.count }

    /// Enters a batch; `false` when it was entered before.
    ///
    /// - Parameters:
    ///   - id: The batch's id.
    ///   - owner: Whose batch it is.
    /// - Returns: Whether it is new.
    mutating func enter(_ id: String, of owner: String) -> Bool {
        let entry = Fingerprint(of: "\(owner) \(id)")
        if young.contains(entry) { return false }
        // One that is met again is worth remembering for longer.
        let isNew = old.remove(entry) == nil
        if young.count >= capacity {
            old = young
            young = []
        }
        young.insert(entry)
        return isNew
    }
}
