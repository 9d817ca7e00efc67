import CFlagAtomics

/// Finds the cell of a declared key by the address of the literal that its name is written as, without a lock.
///
/// A literal is part of the program: it never moves, never changes and never goes away, so its address and length say
/// which text it is, and the text need not be looked at. Entries are only added and never change. As many literals as
/// fit are taken; reads by the others look the name up.
struct LiteralIndex: @unchecked Sendable {
    // Unchecked, as the compiler knows nothing of the memory behind the pointer: the storage owns it for as long as
    // there are reads, and it is touched by atomic operations alone.

    /// Entries of four words: the literal's address, its length and the kind, the cell's address, nothing.
    ///
    /// The word after the last entry says whether they are full.
    fileprivate let entries: UnsafeMutablePointer<UInt64>
    fileprivate static let capacity = 1024

    /// Whether no more literals are taken.
    var isFull: Bool { flag_load_relaxed(entries + Self.capacity * 4) != 0 }

    /// The cell of a literal and a kind, or `nil` when it has none here.
    @inline(__always)
    func cell(_ literal: UnsafePointer<UInt8>, length: Int, _ kind: ReadKind) -> ReadCell? {
        let address = UInt64(UInt(bitPattern: literal))
        let shape = Self.shape(length, kind)
        var position = Self.position(address, kind)
        while true {
            let entry = entries + position &* 4
            let found = flag_load_acquire(entry)
            // The rest of an entry is written before its address.
            if found == address, flag_load_relaxed(entry + 1) == shape {
                let cell = UInt(truncatingIfNeeded: flag_load_relaxed(entry + 2))
                return ReadCell(base: UnsafeMutablePointer(bitPattern: cell).unsafelyUnwrapped)
            }
            if found == 0 { return nil }
            position = (position &+ 1) & (Self.capacity &- 1)
        }
    }

    @inline(__always)
    fileprivate static func shape(_ length: Int, _ kind: ReadKind) -> UInt64 {
        UInt64(truncatingIfNeeded: length) << 8 | UInt64(truncatingIfNeeded: kind.rawValue)
    }

    /// Where the search begins: by Fibonacci hashing, as literals lie next to each other.
    @inline(__always)
    fileprivate static func position(_ address: UInt64, _ kind: ReadKind) -> Int {
        let mixed = (address ^ UInt64(truncatingIfNeeded: kind.rawValue)) &* 0x9e37_79b9_7f4a_7c15
        return Int(truncatingIfNeeded: mixed >> 54)
    }
}

/// The owner of an index's memory: what adds to it, one thread at a time.
struct LiteralIndexStorage {
    /// How reads look into it.
    let index: LiteralIndex
    private var count = 0

    /// Makes an empty index.
    init() {
        let words = LiteralIndex.capacity * 4 + 1
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: words * MemoryLayout<UInt64>.size, alignment: 128)
        index = LiteralIndex(entries: memory.initializeMemory(as: UInt64.self, repeating: 0, count: words))
    }

    /// Adds the cell of a literal and a kind, where it is not there yet and there is room.
    mutating func insert(
        _ cell: ReadCell, for literal: UnsafePointer<UInt8>, length: Int, _ kind: ReadKind
    ) {
        if index.isFull || index.cell(literal, length: length, kind) != nil { return }
        count += 1
        if count * 4 >= LiteralIndex.capacity * 3 {
            flag_store_relaxed(index.entries + LiteralIndex.capacity * 4, 1)
        }
        let address = UInt64(UInt(bitPattern: literal))
        var position = LiteralIndex.position(address, kind)
        while flag_load_relaxed(index.entries + position * 4) != 0 {
            position = (position + 1) & (LiteralIndex.capacity - 1)
        }
        let entry = index.entries + position * 4
        flag_store_relaxed(entry + 1, LiteralIndex.shape(length, kind))
        flag_store_relaxed(entry + 2, UInt64(UInt(bitPattern: cell.base)))
        flag_store_release(entry, address)
    }

    /// Gives everything back.
    func free() {
        index.entries.deallocate()
    }
}
