/// Arrays of bytes in order, read piece by piece.
///
/// The arrays are kept as they are, not copied, so that thousands of queues can hold the same one. An empty
/// queue holds no memory.
struct ByteQueue {
    private(set) var byteCount = 0
    // Most queues hold one array at a time, which then needs no memory for a list.
    private var first: [UInt8] = []
    private var firstOffset = 0
    private var rest: [[UInt8]] = []
    private var restStart = 0

    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        if byteCount == 0 {
            first = bytes
        } else {
            rest.append(bytes)
        }
        byteCount += bytes.count
    }

    /// Moves as many bytes as fit.
    ///
    /// - Returns: how many were moved.
    mutating func copy(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var copied = 0
        while copied < buffer.count, byteCount > 0 {
            let count = min(first.count - firstOffset, buffer.count - copied)
            first.withUnsafeBytes { bytes in
                let source = UnsafeRawBufferPointer(rebasing: bytes[firstOffset..<firstOffset + count])
                UnsafeMutableRawBufferPointer(rebasing: buffer[copied..<copied + count]).copyMemory(
                    from: source)
            }
            copied += count
            firstOffset += count
            byteCount -= count
            if firstOffset == first.count {
                advance()
            }
        }
        return copied
    }

    private mutating func advance() {
        firstOffset = 0
        guard restStart < rest.count else {
            first = []
            return
        }
        first = rest[restStart]
        rest[restStart] = []
        restStart += 1
        if restStart == rest.count {
            rest = []
            restStart = 0
        } else if restStart >= 64, restStart * 2 >= rest.count {
            rest.removeFirst(restStart)
            restStart = 0
        }
    }
}
