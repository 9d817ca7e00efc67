/// MurmurHash3 in its 32-bit form for x86, seed 0: what flagd's evaluators hash buckets with.
enum MurmurHash3 {
    /// The hash of some bytes.
    static func hash32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        let c1: UInt32 = 0xCC9E_2D51
        let c2: UInt32 = 0x1B87_3593
        var hash: UInt32 = 0

        var offset = 0
        while offset + 4 <= bytes.count {
            let block = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            hash ^= rotated(block &* c1, by: 15) &* c2
            hash = rotated(hash, by: 13) &* 5 &+ 0xE654_6B64
            offset += 4
        }

        var rest: UInt32 = 0
        var shift: UInt32 = 0
        while offset < bytes.count {
            rest |= UInt32(bytes[offset]) << shift
            shift += 8
            offset += 1
        }
        hash ^= rotated(rest &* c1, by: 15) &* c2

        hash ^= UInt32(truncatingIfNeeded: bytes.count)
        hash ^= hash >> 16
        hash &*= 0x85EB_CA6B
        hash ^= hash >> 13
        hash &*= 0xC2B2_AE35
        hash ^= hash >> 16
        return hash
    }

    @inline(__always)
    private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
        word << count | word >> (32 - count)
    }
}
