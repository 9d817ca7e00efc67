import CFlagAtomics

/// Finds the cell of a flag and a kind of read by the flag's key, without a lock.
///
/// An open-addressing table of pairs (hash, address of a record), which is only added to. A record holds the cell's
/// address and the key's bytes. A table that gets too full is replaced by one of twice the size; the old one is kept
/// until the end, as a read may still be looking at it: all together that is no more than the newest.
struct CellIndex: @unchecked Sendable {
    // Unchecked, as the compiler knows nothing of the memory behind the pointer: the storage owns it for as long as
    // there are reads, and what changes in it is touched by atomic operations alone.

    /// The word with the address of the table in use, whose first word is the number of its pairs less one.
    fileprivate let root: UnsafeMutablePointer<UInt64>

    /// The cell for a key, or `nil` when there is none yet.
    @inline(__always)
    func cell(_ key: UnsafeBufferPointer<UInt8>, hash: UInt64) -> ReadCell? {
        record(key, hash: hash).map { ReadCell(base: pointer($0[Record.cell])) }
    }

    /// The number of the flag that a key's cell belongs to, or `nil` when there is none yet.
    func entry(_ key: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int? {
        record(key, hash: hash).map { Int($0[Record.entry]) }
    }

    @inline(__always)
    private func record(_ key: UnsafeBufferPointer<UInt8>, hash: UInt64) -> UnsafeMutablePointer<UInt64>? {
        let table = pointer(flag_load_acquire(root))
        let mask = table[0]
        var position = (hash >> 8) & mask
        while true {
            let pair = table + (2 &+ Int(truncatingIfNeeded: position) &* 2)
            let found = flag_load_acquire(pair)
            if found == hash {
                // Written before the hash was, and never again.
                let record = pointer(flag_load_relaxed(pair + 1))
                if Record.holds(record, key) { return record }
            } else if found == 0 {
                return nil
            }
            position = (position &+ 1) & mask
        }
    }

    /// What a record is made of, in words; the key's bytes follow.
    fileprivate enum Record {
        static let cell = 0
        static let entry = 1
        static let count = 2
        static let size = 3

        @inline(__always)
        static func holds(_ record: UnsafeMutablePointer<UInt64>, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
            guard record[count] == UInt64(truncatingIfNeeded: key.count) else { return false }
            let own = UnsafeRawPointer(record + size)
            let bytes = UnsafeRawBufferPointer(key)
            var offset = 0
            while offset &+ 8 <= key.count {
                let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                if own.loadUnaligned(fromByteOffset: offset, as: UInt64.self) != word { return false }
                offset &+= 8
            }
            while offset < key.count {
                if own.load(fromByteOffset: offset, as: UInt8.self) != bytes[offset] { return false }
                offset &+= 1
            }
            return true
        }
    }
}

/// The owner of an index's memory: what adds to it, one thread at a time.
struct CellIndexStorage {
    /// How reads look into it.
    let index: CellIndex
    private var tables: [UnsafeMutablePointer<UInt64>] = []
    private var records: [UnsafeMutablePointer<UInt64>] = []
    private var capacity = 64

    /// Makes an empty index.
    init() {
        index = CellIndex(root: words(1))
        publish(Self.makeTable(capacity))
    }

    /// Adds a cell; the key must not be there with this hash.
    mutating func insert(
        _ cell: ReadCell, ofEntry entry: Int, for key: UnsafeBufferPointer<UInt8>, hash: UInt64
    ) {
        if (records.count + 1) * 2 > capacity { grow() }
        let record = words(CellIndex.Record.size + (key.count + 7) / 8)
        record[CellIndex.Record.cell] = address(cell.base)
        record[CellIndex.Record.entry] = UInt64(entry)
        record[CellIndex.Record.count] = UInt64(key.count)
        if let start = key.baseAddress {
            UnsafeMutableRawPointer(record + CellIndex.Record.size)
                .copyMemory(from: start, byteCount: key.count)
        }
        records.append(record)
        Self.put(record, hash, into: tables[tables.count - 1])
    }

    private mutating func grow() {
        let old = tables[tables.count - 1]
        let oldCapacity = capacity
        capacity *= 2
        let table = Self.makeTable(capacity)
        for position in 0..<oldCapacity where old[2 + position * 2] != 0 {
            Self.put(pointer(old[3 + position * 2]), old[2 + position * 2], into: table)
        }
        publish(table)
    }

    private mutating func publish(_ table: UnsafeMutablePointer<UInt64>) {
        tables.append(table)
        flag_store_release(index.root, address(table))
    }

    private static func makeTable(_ capacity: Int) -> UnsafeMutablePointer<UInt64> {
        let table = words(2 + capacity * 2)
        table[0] = UInt64(capacity - 1)
        return table
    }

    private static func put(
        _ record: UnsafeMutablePointer<UInt64>, _ hash: UInt64, into table: UnsafeMutablePointer<UInt64>
    ) {
        let mask = table[0]
        var position = (hash >> 8) & mask
        while table[2 + Int(position) * 2] != 0 { position = (position + 1) & mask }
        let pair = table + 2 + Int(position) * 2
        flag_store_relaxed(pair + 1, address(record))
        flag_store_release(pair, hash)
    }

    /// Gives everything back.
    func free() {
        for record in records { record.deallocate() }
        for table in tables { table.deallocate() }
        index.root.deallocate()
    }
}

/// Zeroed words, at the start of a cache line.
private func words(_ count: Int) -> UnsafeMutablePointer<UInt64> {
    let memory = UnsafeMutableRawPointer.allocate(
        byteCount: count * MemoryLayout<UInt64>.size, alignment: 64)
    return memory.initializeMemory(as: UInt64.self, repeating: 0, count: count)
}

/// A pointer as a word that can be read and written in one step.
private func address(_ pointer: UnsafeMutablePointer<UInt64>) -> UInt64 {
    UInt64(UInt(bitPattern: pointer))
}

/// The pointer that a word holds, which is never null.
@inline(__always)
private func pointer(_ address: UInt64) -> UnsafeMutablePointer<UInt64> {
    UnsafeMutablePointer(bitPattern: UInt(truncatingIfNeeded: address)).unsafelyUnwrapped
}
