/// Where terms live: memory that only grows and is given back all at once.
///
/// A bump allocator over a list of blocks. It can begin in a borrowed block, such as one on the stack, which
/// keeps small evaluations free of allocations.
struct TermMemory {
    private var next: UnsafeMutableRawPointer?
    private var available = 0
    /// The newest block of its own; each begins with the address of the one before.
    private var blocks: UnsafeMutableRawPointer?
    private var blockSize: Int
    /// How many more bytes may be produced by ``produce(_:)``.
    private(set) var allowance: Int

    private static let headerSize = 16

    /// Makes empty memory.
    ///
    /// - Parameters:
    ///   - borrowed: A block to begin with, aligned to 8 bytes, which must outlive the memory.
    ///   - blockSize: The size of the first block of its own; later blocks double.
    ///   - allowance: How many bytes ``produce(_:)`` gives out.
    init(
        borrowing borrowed: UnsafeMutableRawBufferPointer? = nil, blockSize: Int = 1024, allowance: Int = .max
    ) {
        next = borrowed?.baseAddress
        available = borrowed?.count ?? 0
        self.blockSize = blockSize
        self.allowance = allowance
    }

    /// Gives every block of its own back; terms in it must not be used any more.
    mutating func deallocate() {
        while let block = blocks {
            blocks = block.load(as: UnsafeMutableRawPointer?.self)
            block.deallocate()
        }
        next = nil
        available = 0
    }

    /// Uninitialized bytes, aligned to 8, at an address that no other allocation has (also for no bytes at
    /// all).
    @inline(__always)
    mutating func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
        let size = (max(byteCount, 1) + 7) & ~7
        if size <= available, let address = next {
            next = address + size
            available -= size
            return address
        }
        return allocateInNewBlock(size)
    }

    /// As ``allocate(_:)``, but counted against the allowance.
    @inline(__always)
    mutating func produce(_ byteCount: Int) throws(RuleFault) -> UnsafeMutableRawPointer {
        guard byteCount <= allowance else { throw .tooManyBytes }
        allowance -= byteCount
        return allocate(byteCount)
    }

    @inline(never)
    private mutating func allocateInNewBlock(_ size: Int) -> UnsafeMutableRawPointer {
        let capacity = max(blockSize, size)
        let block = UnsafeMutableRawPointer.allocate(byteCount: Self.headerSize + capacity, alignment: 16)
        block.storeBytes(of: blocks, as: UnsafeMutableRawPointer?.self)
        blocks = block
        blockSize = min(blockSize * 2, 1 << 20)
        next = block + Self.headerSize + size
        available = capacity - size
        return block + Self.headerSize
    }
}

/// Owns the memory of terms that outlive an evaluation.
///
/// `@unchecked Sendable`: the memory is filled before the arena is made and only read afterwards.
final class TermArena: @unchecked Sendable {
    private var memory: TermMemory

    /// Takes over filled memory, which must not begin in a borrowed block.
    init(_ memory: TermMemory) {
        self.memory = memory
    }

    deinit {
        memory.deallocate()
    }
}
