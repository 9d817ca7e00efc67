import CFlagAtomics
import FlagModel

/// What the lock of a ``ReadTable`` guards: which flags were read, what is served for them, and what was counted.
///
/// A flag gets an entry when it is first read, and keeps it. An entry has a cell for each kind of read that was made of
/// it, and a cell's stripe is opened by the first read of a thread on that stripe. So the work of a change is that for
/// the flags, kinds and stripes that are in use.
struct ReadTableState {
    /// A flag that was read.
    struct Entry {
        let key: String
        var served: ServedFlag
        /// Grows with each change, and is the generation of all of the flag's cells.
        var generation: UInt64 = 0
        var cells: [(kind: ReadKind, cell: ReadCell)] = []
    }

    /// An object that is no longer served, while readers are taking something from it.
    struct Retired {
        var object: AnyObject
        var pins: Int
    }

    /// A cell under a generation.
    struct CellGeneration: Hashable {
        let cell: UnsafeMutablePointer<UInt64>
        let generation: UInt64
    }

    /// Finds cells by key.
    var index = CellIndexStorage()
    /// Finds cells by literal.
    var literals = LiteralIndexStorage()
    var memory: CellMemory
    let hash: KeyHash

    /// The values in effect.
    var snapshot = FlagSnapshot.empty
    /// What the flags have in common; the same object for as long as it tells the same.
    var scope = FlagSnapshot.empty.contents.scope
    let snapshotCell: ReadCell
    var snapshotGeneration: UInt64 = 0

    var entries: [Entry] = []
    var unknownNames = 0
    let unknownNameLimit: Int
    var retired: [CellGeneration: Retired] = [:]

    var book = CountBook()
    var isCounting = true
    var observers = ReadObservers()

    /// The entry that stands for all unknown names beyond the limit.
    static let others = 0

    /// Makes the state of a table without values.
    init(stripeCount: Int, hash: KeyHash, unknownNameLimit: Int) {
        memory = CellMemory(stripeCount: stripeCount)
        snapshotCell = memory.makeCell()
        self.hash = hash
        self.unknownNameLimit = unknownNameLimit
        entries.append(Entry(key: ReadTable.otherNames, served: served(ReadTable.otherNames, nil)))
    }

    /// Gives the memory back; nobody may read any more.
    func free() {
        index.free()
        literals.free()
        memory.free()
    }

    /// What reads of a flag give by the values in effect.
    func served(_ key: String, _ resolution: FlagResolution?) -> ServedFlag {
        ServedFlag(
            key: key, resolution: resolution, scope: scope, origin: snapshot.origin(of: key),
            coercion: snapshot.contents.coercion)
    }

    // MARK: Finding

    /// The number of a flag's entry, which is made where there is none.
    mutating func entry(_ key: UnsafeBufferPointer<UInt8>) -> Int {
        let valueHash = hash(key, .value)
        if let known = index.index.entry(key, hash: valueHash) { return known }
        let name = String(decoding: key, as: UTF8.self)
        let resolution = snapshot.resolution(of: name)
        if resolution == nil {
            if unknownNames >= unknownNameLimit { return Self.others }
            unknownNames += 1
        }
        let number = entries.count
        entries.append(Entry(key: name, served: served(name, resolution)))
        addCell(to: number, .value, key)
        return number
    }

    /// The cell of a flag for a kind of read, which is made where there is none.
    mutating func cell(of number: Int, _ kind: ReadKind, _ key: UnsafeBufferPointer<UInt8>) -> ReadCell {
        if let known = entries[number].cells.first(where: { $0.kind == kind }) { return known.cell }
        return addCell(to: number, kind, key)
    }

    @discardableResult
    private mutating func addCell(
        to number: Int, _ kind: ReadKind, _ key: UnsafeBufferPointer<UInt8>
    ) -> ReadCell {
        let cell = memory.makeCell()
        entries[number].cells.append((kind, cell))
        // Names beyond the limit are not kept, so their reads come here each time.
        if number != Self.others { index.insert(cell, ofEntry: number, for: key, hash: hash(key, kind)) }
        return cell
    }

    // MARK: Serving

    /// Serves a read that found no open cell, and counts it.
    mutating func serve(
        _ key: UnsafeBufferPointer<UInt8>, _ kind: ReadKind, stripe: Int
    ) -> ServedFlag {
        let number = entry(key)
        count(number, kind, key, stripe: stripe)
        return entries[number].served
    }

    /// Counts a read on what an entry serves now.
    mutating func count(
        _ number: Int, _ kind: ReadKind, _ key: UnsafeBufferPointer<UInt8>, stripe: Int
    ) {
        let cell = cell(of: number, kind, key)
        open(cell, of: number, kind, stripe)
        if observers.isEmpty {
            flag_fetch_add(cell.word(stripe), CountWord.read)
        } else {
            add(entries[number].served, kind, 1)
        }
    }

    /// Books reads.
    mutating func add(_ served: ServedFlag, _ kind: ReadKind, _ count: UInt64) {
        if isCounting { book.add(served, kind, count) }
    }

    /// Lets reads on a stripe find what is served, and takes the counts out of a word that is full.
    ///
    /// While somebody observes reads, all cells stay closed, so that all reads come to the lock.
    mutating func open(_ cell: ReadCell, of number: Int, _ kind: ReadKind, _ stripe: Int) {
        guard observers.isEmpty else { return }
        let entry = entries[number]
        let word = cell.word(stripe)
        let found = CountWord(bits: flag_load_relaxed(word))
        if found.isOpen {
            takeCounts(cell, stripe, entry.served, kind)
        } else {
            publish(entry, cell, kind, stripe)
        }
    }

    /// Writes what is served to a closed cell and opens it.
    func publish(_ entry: Entry, _ cell: ReadCell, _ kind: ReadKind, _ stripe: Int) {
        let payload: UInt64
        switch kind {
        case .value, .string: payload = Self.address(of: entry.served)
        case .bool, .int, .double, .activity: payload = entry.served.bits(kind) ?? 0
        case .unfit: payload = 0
        }
        let content: CountWord.Content = entry.served.serves(kind) ? .served : .useDefault
        let word = cell.word(stripe)
        flag_store_relaxed(word + 1, payload)
        flag_store_release(word, CountWord(content, generation: entry.generation).bits)
    }

    /// Takes the counts out of a word.
    mutating func takeCounts(_ cell: ReadCell, _ stripe: Int, _ served: ServedFlag, _ kind: ReadKind) {
        let word = cell.word(stripe)
        let count = CountWord(bits: flag_load_relaxed(word)).count
        if count == 0 { return }
        flag_fetch_add(word, 0 &- count)
        add(served, kind, count)
    }

    /// The address of an object as a payload.
    static func address(of object: AnyObject) -> UInt64 {
        UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    }
}
