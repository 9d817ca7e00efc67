/// A quick hash over a key's UTF-8 bytes, together with the kind of the read.
///
/// Two multiplications of 64 by 64 bits do for keys of up to 16 bytes, one more for each further 16. The keys come from
/// the app's own code, so nobody chooses them to collide; a seed for each process keeps that from being worth trying.
struct KeyHash: Sendable {
    private let seed: UInt64

    private static let first: UInt64 = 0x9e37_79b9_7f4a_7c15
    private static let second: UInt64 = 0xd1b5_4a32_d192_ed03

    /// Makes the hash function of a seed.
    init(seed: UInt64) {
        self.seed = seed
    }

    /// Hashes a key; never 0.
    @inline(__always)
    func callAsFunction(_ key: UnsafeBufferPointer<UInt8>, _ kind: ReadKind) -> UInt64 {
        let bytes = UnsafeRawBufferPointer(key)
        let count = bytes.count
        var state = seed ^ UInt64(truncatingIfNeeded: kind.rawValue) &* Self.second
        var low: UInt64 = 0
        var high: UInt64 = 0
        if count > 16 {
            var offset = 0
            while offset &+ 16 < count {
                state = Self.mix(
                    Self.word(bytes, offset) ^ Self.first, Self.word(bytes, offset &+ 8) ^ state)
                offset &+= 16
            }
            // The last 16 bytes, some of which may have been taken already.
            low = Self.word(bytes, count &- 16)
            high = Self.word(bytes, count &- 8)
        } else if count >= 8 {
            low = Self.word(bytes, 0)
            high = Self.word(bytes, count &- 8)
        } else if count >= 4 {
            low = UInt64(bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
            high = UInt64(bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
        } else if count > 0 {
            low = UInt64(bytes[0]) | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count &- 1]) << 16
        }
        let mixed = Self.mix(low ^ Self.second, high ^ state)
        return Self.mix(mixed ^ Self.first, UInt64(truncatingIfNeeded: count) ^ Self.second) | 1
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    /// Multiplies to 128 bits and folds them.
    @inline(__always)
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
