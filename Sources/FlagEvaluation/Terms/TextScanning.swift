/// Texts as JavaScript counts them, in UTF-16 units, over bytes in UTF-8 (with lone surrogates: WTF-8).
enum TextScanning {
    /// How many bytes the character with this first byte has.
    @inline(__always)
    static func width(of lead: UInt8) -> Int {
        lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    }

    /// How many UTF-16 units a text has.
    static func unitCount(_ bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        for byte in bytes {
            // A unit for each character and another for those outside the Basic Multilingual Plane.
            if byte & 0xC0 != 0x80 { count += 1 }
            if byte >= 0xF0 { count += 1 }
        }
        return count
    }

    /// The byte offset of a UTF-16 unit, and whether it is the second half of a pair that begins there.
    static func offset(ofUnit unit: Int, in bytes: UnsafeRawBufferPointer) -> (offset: Int, isInPair: Bool) {
        var remaining = unit
        var offset = 0
        while remaining > 0, offset < bytes.count {
            let width = width(of: bytes[offset])
            if width == 4 {
                if remaining == 1 { return (offset, true) }
                remaining -= 1
            }
            remaining -= 1
            offset += width
        }
        return (offset, false)
    }

    /// The Unicode code point at an offset; a lone surrogate counts as its own.
    @inline(__always)
    static func codePoint(at offset: Int, in bytes: UnsafeRawBufferPointer) -> UInt32 {
        let lead = UInt32(bytes[offset])
        func next(_ index: Int) -> UInt32 { UInt32(bytes[offset + index]) & 0x3F }
        switch width(of: bytes[offset]) {
        case 1: return lead
        case 2: return (lead & 0x1F) << 6 | next(1)
        case 3: return (lead & 0x0F) << 12 | next(1) << 6 | next(2)
        default: return (lead & 0x07) << 18 | next(1) << 12 | next(2) << 6 | next(3)
        }
    }

    /// Whether a text comes before another in the order of UTF-16 units.
    static func precedes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        let count = min(left.count, right.count)
        var index = 0
        while index < count, left[index] == right[index] { index += 1 }
        guard index < count else { return left.count < right.count }
        // Bytes order as code points do, and code points as units do, except that pairs (lead bytes from
        // 0xF0) come before the characters from U+E000 (lead bytes 0xEE and 0xEF). Below both it is the
        // bytes' order.
        if left[index] < 0xED, right[index] < 0xED, left[index] & 0xC0 != 0x80 {
            return left[index] < right[index]
        }
        var start = index
        while start > 0, left[start] & 0xC0 == 0x80 { start -= 1 }
        let leftPoint = codePoint(at: start, in: left)
        let rightPoint = codePoint(at: start, in: right)
        let leftLead = leadUnit(of: leftPoint)
        let rightLead = leadUnit(of: rightPoint)
        return leftLead == rightLead ? leftPoint < rightPoint : leftLead < rightLead
    }

    private static func leadUnit(of point: UInt32) -> UInt32 {
        point < 0x10000 ? point : 0xD800 + (point - 0x10000) >> 10
    }

    /// Whether a text occurs in another.
    ///
    /// Takes time in proportion to the longer one, whatever the texts are.
    static func contains(
        _ haystack: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer
    ) -> Bool {
        if needle.isEmpty { return true }
        guard needle.count <= haystack.count else { return false }
        if needle.count > 16, haystack.count > 1024 { return containsLong(haystack, needle) }
        let first = needle[0]
        var start = 0
        let last = haystack.count - needle.count
        while start <= last {
            if haystack[start] == first {
                var index = 1
                while index < needle.count, haystack[start + index] == needle[index] { index += 1 }
                if index == needle.count { return true }
            }
            start += 1
        }
        return false
    }

    /// The search of Knuth, Morris and Pratt.
    private static func containsLong(
        _ haystack: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer
    ) -> Bool {
        var borders = [Int](repeating: 0, count: needle.count)
        var matched = 0
        for index in 1..<needle.count {
            while matched > 0, needle[index] != needle[matched] { matched = borders[matched - 1] }
            if needle[index] == needle[matched] { matched += 1 }
            borders[index] = matched
        }
        matched = 0
        for byte in haystack {
            while matched > 0, byte != needle[matched] { matched = borders[matched - 1] }
            if byte == needle[matched] { matched += 1 }
            if matched == needle.count { return true }
        }
        return false
    }
}
