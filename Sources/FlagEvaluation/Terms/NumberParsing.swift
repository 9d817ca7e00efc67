/// Reads numbers from texts as JavaScript does.
enum NumberParsing {
    /// What `Number(text)` gives: the whole text has to be a number, but for white space around it.
    ///
    /// Nothing is 0.
    static func number(_ text: UnsafeRawBufferPointer) -> Double {
        let trimmed = trimmed(text)
        if trimmed.isEmpty { return 0 }
        if trimmed.count > 2, trimmed[0] == UInt8(ascii: "0") {
            switch trimmed[1] | 0x20 {
            case UInt8(ascii: "x"): return wholeNumber(trimmed, radix: 16)
            case UInt8(ascii: "o"): return wholeNumber(trimmed, radix: 8)
            case UInt8(ascii: "b"): return wholeNumber(trimmed, radix: 2)
            default: break
            }
        }
        let (value, length) = decimalPrefix(trimmed)
        return length == trimmed.count ? value : .nan
    }

    /// What `parseFloat(text)` gives: the longest beginning that is a decimal number, or not a number.
    static func leadingNumber(_ text: UnsafeRawBufferPointer) -> Double {
        decimalPrefix(trimmed(text)).value
    }

    /// The number at the beginning of a text, and how many bytes it takes: not a number and 0 if there is
    /// none.
    private static func decimalPrefix(_ text: UnsafeRawBufferPointer) -> (value: Double, length: Int) {
        var position = 0
        var isNegative = false
        if position < text.count, text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+") {
            isNegative = text[0] == UInt8(ascii: "-")
            position = 1
        }
        if hasPrefix("Infinity", text, at: position) {
            return (isNegative ? -.infinity : .infinity, position + 8)
        }

        let start = position
        var digits: UInt64 = 0
        var significant = 0
        var scale = 0
        var hasDigits = false
        func scanDigits(isFraction: Bool) {
            while position < text.count, case let digit = text[position] &- UInt8(ascii: "0"), digit < 10 {
                hasDigits = true
                if significant < 19 {
                    digits = digits * 10 + UInt64(digit)
                    if digits > 0 { significant += 1 }
                    if isFraction { scale -= 1 }
                } else {
                    significant += 1
                    if !isFraction { scale += 1 }
                }
                position += 1
            }
        }
        scanDigits(isFraction: false)
        if position < text.count, text[position] == UInt8(ascii: ".") {
            let point = position
            position += 1
            scanDigits(isFraction: true)
            if !hasDigits { position = point }
        }
        guard hasDigits else { return (.nan, 0) }

        if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
            var end = position + 1
            var isNegativeExponent = false
            if end < text.count, text[end] == UInt8(ascii: "-") || text[end] == UInt8(ascii: "+") {
                isNegativeExponent = text[end] == UInt8(ascii: "-")
                end += 1
            }
            let exponentStart = end
            var exponent = 0
            while end < text.count, case let digit = text[end] &- UInt8(ascii: "0"), digit < 10 {
                exponent = min(exponent * 10 + Int(digit), 100_000)
                end += 1
            }
            if end > exponentStart {
                position = end
                scale += isNegativeExponent ? -exponent : exponent
            }
        }

        let magnitude: Double
        if significant <= 19, digits <= 1 << 53, abs(scale) <= 22 {
            // Both factors are exact as doubles, so one operation rounds once.
            magnitude = scale < 0 ? Double(digits) / powersOfTen[-scale] : Double(digits) * powersOfTen[scale]
        } else {
            magnitude = slowNumber(UnsafeRawBufferPointer(rebasing: text[start..<position]))
        }
        return (isNegative ? -magnitude : magnitude, position)
    }

    /// Digits with point and exponent, correctly rounded by the standard library.
    private static func slowNumber(_ text: UnsafeRawBufferPointer) -> Double {
        let literal = String(decoding: text, as: UTF8.self)
        // JavaScript allows "5." and ".5e1"; so does the C function behind this initializer.
        return Double(literal) ?? .nan
    }

    private static func wholeNumber(_ text: UnsafeRawBufferPointer, radix: UInt8) -> Double {
        var value = 0.0
        for byte in text.dropFirst(2) {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return .nan
            }
            if digit >= radix { return .nan }
            value = value * Double(radix) + Double(digit)
        }
        return value
    }

    private static func hasPrefix(_ prefix: StaticString, _ text: UnsafeRawBufferPointer, at start: Int)
        -> Bool
    {
        guard start + prefix.utf8CodeUnitCount <= text.count else { return false }
        for index in 0..<prefix.utf8CodeUnitCount where text[start + index] != prefix.utf8Start[index] {
            return false
        }
        return true
    }

    // MARK: White space

    private static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var start = 0
        var end = text.count
        while start < end {
            let width = TextScanning.width(of: text[start])
            guard isSpace(TextScanning.codePoint(at: start, in: text)) else { break }
            start += width
        }
        while end > start {
            var last = end - 1
            while last > start, text[last] & 0xC0 == 0x80 { last -= 1 }
            guard isSpace(TextScanning.codePoint(at: last, in: text)) else { break }
            end = last
        }
        return UnsafeRawBufferPointer(rebasing: text[start..<end])
    }

    /// White space and line terminators of JavaScript.
    private static func isSpace(_ point: UInt32) -> Bool {
        switch point {
        case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
            true
        default: false
        }
    }
}

private let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
    1e20, 1e21, 1e22,
]
