/// Puts a text or other bytes together in a ``TermMemory``.
struct TextBuilder {
    private var start: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    /// What has been put together.
    var term: Term {
        guard let start else { return Term("") }
        return Term(text: start, count: count)
    }

    /// What has been put together.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// Appends a text.
    ///
    /// The halves of a pair that meet become one character, as they do in UTF-16.
    mutating func append(
        _ text: UnsafeRawBufferPointer, using memory: inout TermMemory
    ) throws(RuleFault) {
        guard let source = text.baseAddress, !text.isEmpty else { return }
        if text[0] == 0xED, text.count >= 3, text[1] >= 0xB0, let start, count >= 3,
            start.load(fromByteOffset: count - 3, as: UInt8.self) == 0xED,
            case let second = start.load(fromByteOffset: count - 2, as: UInt8.self),
            (0xA0..<0xB0).contains(second)
        {
            try join(text, using: &memory)
            return
        }
        try reserve(text.count, using: &memory)
        if let start { (start + count).copyMemory(from: source, byteCount: text.count) }
        count += text.count
    }

    /// Appends a lone half of a pair.
    mutating func append(unit: UInt32, using memory: inout TermMemory) throws(RuleFault) {
        try append(byte: 0xE0 | UInt8(truncatingIfNeeded: unit >> 12), using: &memory)
        try append(byte: 0x80 | UInt8(truncatingIfNeeded: unit >> 6 & 0x3F), using: &memory)
        try append(byte: 0x80 | UInt8(truncatingIfNeeded: unit & 0x3F), using: &memory)
    }

    /// Appends one byte.
    @inline(__always)
    mutating func append(byte: UInt8, using memory: inout TermMemory) throws(RuleFault) {
        try reserve(1, using: &memory)
        if let start { start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self) }
        count += 1
    }

    /// Appends a number, the most significant byte first.
    @inline(__always)
    mutating func append<Number: FixedWidthInteger>(
        bigEndian number: Number, using memory: inout TermMemory
    ) throws(RuleFault) {
        let size = MemoryLayout<Number>.size
        try reserve(size, using: &memory)
        if let start { start.storeBytes(of: number.bigEndian, toByteOffset: count, as: Number.self) }
        count += size
    }

    /// Makes the text valid UTF-8 from an offset on: a lone half of a pair becomes U+FFFD, of the same size.
    mutating func replaceLoneSurrogates(from offset: Int) {
        guard let start else { return }
        var index = offset
        while index + 2 < count {
            if start.load(fromByteOffset: index, as: UInt8.self) == 0xED,
                start.load(fromByteOffset: index + 1, as: UInt8.self) >= 0xA0
            {
                start.storeBytes(of: 0xEF, toByteOffset: index, as: UInt8.self)
                start.storeBytes(of: 0xBF, toByteOffset: index + 1, as: UInt8.self)
                start.storeBytes(of: 0xBD, toByteOffset: index + 2, as: UInt8.self)
            }
            index += 1
        }
    }

    /// Replaces the first half at the end and the second half at the text's beginning by the character they
    /// make.
    private mutating func join(
        _ text: UnsafeRawBufferPointer, using memory: inout TermMemory
    ) throws(RuleFault) {
        let high = TextScanning.codePoint(at: count - 3, in: bytes)
        let low = TextScanning.codePoint(at: 0, in: text)
        let point = 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
        count -= 3
        try append(byte: 0xF0 | UInt8(truncatingIfNeeded: point >> 18), using: &memory)
        try append(byte: 0x80 | UInt8(truncatingIfNeeded: point >> 12 & 0x3F), using: &memory)
        try append(byte: 0x80 | UInt8(truncatingIfNeeded: point >> 6 & 0x3F), using: &memory)
        try append(byte: 0x80 | UInt8(truncatingIfNeeded: point & 0x3F), using: &memory)
        try append(UnsafeRawBufferPointer(rebasing: text[3...]), using: &memory)
    }

    private mutating func reserve(_ additional: Int, using memory: inout TermMemory) throws(RuleFault) {
        guard count + additional > capacity else { return }
        let newCapacity = max(capacity * 2, count + additional, 32)
        let target = try memory.produce(newCapacity)
        if let start { target.copyMemory(from: start, byteCount: count) }
        start = target
        capacity = newCapacity
    }
}
