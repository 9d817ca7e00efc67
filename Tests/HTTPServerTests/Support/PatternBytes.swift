#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Bytes in which a piece that is lost, doubled or moved shows; made quickly even without optimization.
func patternBytes(_ count: Int) -> [UInt8] {
    // A prime length, so that no buffer size divides it.
    let block = (0..<4093).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + block.count)
    while bytes.count < count {
        bytes.append(contentsOf: block)
    }
    bytes.removeLast(bytes.count - count)
    return bytes
}

/// Compares large arrays quickly, and does not print them.
func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && memcmp(left, right, left.count) == 0
}
