import FlagModel

/// Reads that were taken out of their cells: what was served, to which kind of read, how often.
///
/// Adding is cheap, as it happens under the lock that changes of values need. The merging into ``CountedRead``s, which
/// computes the values' hashes, is done by ``Batch/counts()`` afterwards; only a book that nobody empties merges itself
/// now and then, so that it grows with the results that differ and not with the changes.
struct CountBook {
    /// What was booked.
    struct Batch: Sendable {
        fileprivate var entries: [Entry] = []
        fileprivate var reads: [CountedRead] = []
        fileprivate var merged: [Place: UInt64] = [:]
        fileprivate var contexts = ContextNumbers()
    }

    fileprivate struct Entry: Sendable {
        var served: ServedFlag
        var kind: ReadKind
        var count: UInt64
    }

    private var batch = Batch()

    private static let entryLimit = 4096

    /// Adds reads.
    mutating func add(_ served: ServedFlag, _ kind: ReadKind, _ count: UInt64) {
        // Two reads in a row are often of the same flag.
        if let last = batch.entries.last, last.served === served, last.kind == kind {
            batch.entries[batch.entries.count - 1].count += count
            return
        }
        batch.entries.append(Entry(served: served, kind: kind, count: count))
        if batch.entries.count >= Self.entryLimit { batch.merge() }
    }

    /// Adds reads that were not made from a cell.
    mutating func add(_ read: CountedRead) {
        batch.reads.append(read)
        if batch.reads.count >= Self.entryLimit { batch.merge() }
    }

    /// Takes everything out.
    mutating func take() -> Batch {
        defer { batch = Batch() }
        return batch
    }
}

extension CountBook.Batch {
    /// One count for all reads that had the same result in the same context, in no order.
    func counts() -> [CountedRead] {
        var batch = self
        batch.merge()
        return batch.merged.map { place, count in
            var read = place.read
            read.context = batch.contexts[place.context]
            read.count = count
            return read
        }
    }

    fileprivate mutating func merge() {
        for entry in entries {
            let place = CountBook.Place(
                read: entry.served.counted(entry.kind), context: contexts.number(of: entry.served.scope))
            merged[place, default: 0] += entry.count
        }
        entries = []
        for read in reads {
            let place = CountBook.Place(read: read, context: contexts.number(of: read.context))
            merged[place, default: 0] += read.count
        }
        reads = []
    }
}

extension CountBook {
    /// What makes two reads count as one.
    ///
    /// The context stands apart, as comparing contexts is slow.
    fileprivate struct Place: Hashable, Sendable {
        let read: CountedRead
        let context: Int

        init(read: CountedRead, context: Int) {
            self.read = read
            self.context = context
        }

        static func == (left: Self, right: Self) -> Bool {
            left.context == right.context && left.read.key.utf8.elementsEqual(right.read.key.utf8)
                && left.read.variant == right.read.variant && left.read.reason == right.read.reason
                && left.read.errorCode == right.read.errorCode && left.read.valueID == right.read.valueID
                && left.read.isDefault == right.read.isDefault
                && left.read.requestedType == right.read.requestedType
                && left.read.version == right.read.version
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(context)
            hasher.combine(read.key)
            hasher.combine(read.variant)
            hasher.combine(read.reason)
            hasher.combine(read.errorCode)
            hasher.combine(read.valueID)
            hasher.combine(read.requestedType)
            hasher.combine(read.version)
        }
    }

    /// Gives equal contexts one number.
    fileprivate struct ContextNumbers: Sendable {
        private var contexts: [FlagContext] = []
        private var numbers: [FlagContext: Int] = [:]
        private var scopes: [ObjectIdentifier: (scope: ReadScope, number: Int)] = [:]

        subscript(number: Int) -> FlagContext { contexts[number] }

        mutating func number(of scope: ReadScope) -> Int {
            if let known = scopes[ObjectIdentifier(scope)] { return known.number }
            let number = number(of: scope.context)
            // The scope is kept, so that its address stays its own.
            scopes[ObjectIdentifier(scope)] = (scope, number)
            return number
        }

        mutating func number(of context: FlagContext) -> Int {
            if let known = numbers[context] { return known }
            contexts.append(context)
            numbers[context] = contexts.count - 1
            return contexts.count - 1
        }
    }
}
