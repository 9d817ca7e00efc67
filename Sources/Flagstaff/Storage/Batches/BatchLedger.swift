/// Which batches a queue holds and which have to go: the rules without the files.
///
/// Times are of a clock that is never set.
struct BatchLedger: Sendable {
    /// How much is kept.
    struct Limits: Hashable, Sendable {
        /// How many batches.
        ///
        /// Default 5.
        var count = 5
        /// How many bytes in all.
        ///
        /// Default 524,288.
        var bytes = 524_288
        /// How old a batch may get, in seconds.
        ///
        /// Default 300.
        var age = 300.0
    }

    /// A batch.
    struct Entry: Hashable, Sendable {
        /// The name that it is stored under.
        let name: String
        /// How many bytes it has, without what a file adds.
        let size: Int
        /// When it came.
        let time: Double
    }

    /// Why batches went.
    struct Losses: Hashable, Sendable {
        /// How many were too old.
        var expired = 0
        /// How many made room for newer ones.
        var displaced = 0
        /// How many could not be read any more.
        var damaged = 0

        /// Whether there were none.
        var isEmpty: Bool { self == Losses() }
    }

    let limits: Limits
    /// The batches, the oldest first.
    private(set) var entries: [Entry] = []
    /// What went since the losses were taken last.
    private(set) var losses = Losses()

    init(limits: Limits) {
        self.limits = limits
    }

    /// Whether a batch of that size can be held at all.
    func canHold(_ size: Int) -> Bool {
        size <= limits.bytes && limits.count > 0
    }

    /// Adds a batch that can be held, as the newest, and returns the names of those that go for it.
    mutating func add(_ entry: Entry) -> [String] {
        entries.removeAll { $0.name == entry.name }
        entries.append(entry)
        return displace()
    }

    /// Takes over the batches of an earlier run, the oldest first, and returns the names of those that go.
    mutating func adopt(_ found: [Entry], at time: Double) -> [String] {
        entries = found
        return expire(at: time) + displace()
    }

    /// Lets go of what is too old, and returns its names.
    mutating func expire(at time: Double) -> [String] {
        let expired = entries.filter { time - $0.time > limits.age }
        if expired.isEmpty { return [] }
        losses.expired += expired.count
        entries.removeAll { time - $0.time > limits.age }
        return expired.map(\.name)
    }

    /// Removes a batch that was delivered.
    mutating func remove(_ name: String) {
        entries.removeAll { $0.name == name }
    }

    /// Removes a batch that cannot be read.
    mutating func removeDamaged(_ name: String) {
        remove(name)
        losses.damaged += 1
    }

    /// Removes all batches.
    mutating func removeAll() {
        entries = []
    }

    /// What went since the last call.
    mutating func takeLosses() -> Losses {
        defer { losses = Losses() }
        return losses
    }

    private mutating func displace() -> [String] {
        var size = entries.reduce(0) { $0 + $1.size }
        var count = 0
        while size > limits.bytes || entries.count - count > limits.count {
            size -= entries[count].size
            count += 1
        }
        let displaced = entries.prefix(count).map(\.name)
        entries.removeFirst(count)
        losses.displaced += count
        return displaced
    }
}

extension BatchLedger.Losses: CustomStringConvertible {
    /// What went, in words: `2 too old, 1 for want of room`.
    var description: String {
        let parts = [
            (expired, "too old"), (displaced, "for want of room"), (damaged, "damaged on disk"),
        ]
        return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}
