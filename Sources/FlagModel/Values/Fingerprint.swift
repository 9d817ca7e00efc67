/// A 128-bit digest that is the same in every process and on every platform.
///
/// MurmurHash3 in its x64 128-bit form, seed 0: quick and well spread, but not made to withstand someone who looks
/// for collisions, so it names and compares one's own things and never guards a secret.
package struct Fingerprint: Hashable, Sendable {
    /// The first 64 bits, as MurmurHash3 returns them.
    package var high: UInt64
    /// The last 64 bits.
    package var low: UInt64

    /// Puts a digest together from its halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Digests bytes.
    package init(of bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { Fingerprint(of: $0) }
    }

    /// Digests the UTF-8 bytes of a text.
    package init(of text: String) {
        var text = text
        self = text.withUTF8 { Fingerprint(of: UnsafeRawBufferPointer($0)) }
    }

    /// Digests a value by its canonical JSON: the order of names does not count, `1` and `1.0` differ.
    package init(of value: FlagValue) {
        var writer = JSONWriter(options: .sortedKeys)
        writer.write(value)
        self.init(of: writer.bytes)
    }

    /// Digests this digest together with another; the order counts.
    package func combined(with other: Fingerprint) -> Fingerprint {
        var words = (high, low, other.high, other.low)
        return withUnsafeBytes(of: &words) { Fingerprint(of: $0) }
    }
}

extension Fingerprint {
    /// Digests bytes in place.
    package init(of bytes: UnsafeRawBufferPointer) {
        let c1: UInt64 = 0x87c3_7b91_1142_53d5
        let c2: UInt64 = 0x4cf5_ad43_2745_937f
        var h1: UInt64 = 0
        var h2: UInt64 = 0
        let blocks = bytes.count / 16

        for block in 0..<blocks {
            let k1 = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: block * 16, as: UInt64.self))
            let k2 = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: block * 16 + 8, as: UInt64.self))
            h1 ^= (k1 &* c1).rotatedLeft(31) &* c2
            h1 = (h1.rotatedLeft(27) &+ h2) &* 5 &+ 0x52dc_e729
            h2 ^= (k2 &* c2).rotatedLeft(33) &* c1
            h2 = (h2.rotatedLeft(31) &+ h1) &* 5 &+ 0x3849_5ab5
        }

        var k1: UInt64 = 0
        var k2: UInt64 = 0
        for (index, byte) in bytes[(blocks * 16)...].enumerated() {
            if index < 8 {
                k1 |= UInt64(byte) << (index * 8)
            } else {
                k2 |= UInt64(byte) << ((index - 8) * 8)
            }
        }
        h2 ^= (k2 &* c2).rotatedLeft(33) &* c1
        h1 ^= (k1 &* c1).rotatedLeft(31) &* c2

        h1 ^= UInt64(bytes.count)
        h2 ^= UInt64(bytes.count)
        h1 &+= h2
        h2 &+= h1
        h1 = h1.mixed
        h2 = h2.mixed
        h1 &+= h2
        h2 &+= h1
        self.init(high: h1, low: h2)
    }
}

extension Fingerprint: CustomStringConvertible {
    /// 32 lower-case hexadecimal digits.
    package var description: String { String(decoding: hexadecimal, as: UTF8.self) }

    /// The digits of ``description`` as ASCII bytes.
    package var hexadecimal: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            for (offset, word) in [(0, high), (16, low)] {
                for index in 0..<16 {
                    let digit = UInt8(truncatingIfNeeded: word >> (60 - index * 4)) & 15
                    buffer[offset + index] = digit < 10 ? 48 + digit : 87 + digit
                }
            }
            count = 32
        }
    }
}

extension UInt64 {
    fileprivate func rotatedLeft(_ count: UInt64) -> UInt64 {
        (self << count) | (self >> (64 - count))
    }

    /// The finishing step of MurmurHash3.
    fileprivate var mixed: UInt64 {
        var word = self
        word ^= word >> 33
        word &*= 0xff51_afd7_ed55_8ccd
        word ^= word >> 33
        word &*= 0xc4ce_b9fe_1a85_ec53
        word ^= word >> 33
        return word
    }
}
