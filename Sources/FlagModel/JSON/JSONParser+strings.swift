extension JSONParser {
    /// Reads a string whose opening quote is the next byte.
    mutating func parseString() throws(JSONError) -> String {
        let opening = position
        let start = position + 1
        var index = start
        var isASCII = true
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                if !isASCII { try validateUTF8(start..<index) }
                position = index + 1
                return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\") {
                position = index
                return try parseEscapedString(from: start, opening: opening)
            }
            if byte < 0x20 { throw fault("a control character in a string must be escaped", at: index) }
            if byte >= 0x80 { isASCII = false }
            index += 1
        }
        throw fault("the string is not closed", at: opening)
    }

    /// Reads the rest of a string that holds an escape; `position` is at the first backslash.
    private mutating func parseEscapedString(from start: Int, opening: Int) throws(JSONError) -> String {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                // Escapes are ASCII, so the text as written is valid exactly when the text they make is.
                try validateUTF8(start..<position)
                position += 1
                return String(decoding: scratch, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                try parseEscape()
            case 0..<0x20:
                throw fault("a control character in a string must be escaped")
            default:
                scratch.append(byte)
                position += 1
            }
        }
        throw fault("the string is not closed", at: opening)
    }

    private mutating func parseEscape() throws(JSONError) {
        guard position < bytes.count else { throw fault("the string is not closed") }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try parseUnicodeEscape()
            scratch.append(contentsOf: scalar.utf8)
        default:
            throw fault("unknown escape in a string", at: position - 2)
        }
    }

    /// Reads the digits after `\u`, and the second half of a surrogate pair.
    private mutating func parseUnicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let first = try parseHexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { return "\u{FFFD}" }
        let beforeSecond = position
        position += 2
        let second = try parseHexadecimal()
        guard (0xDC00...0xDFFF).contains(second) else {
            position = beforeSecond
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func parseHexadecimal() throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard position < bytes.count, let digit = hexadecimalDigit(bytes[position]) else {
                throw fault("expected four hexadecimal digits after \\u")
            }
            code = code << 4 | digit
            position += 1
        }
        return code
    }

    private func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    /// Throws unless the bytes are UTF-8 as RFC 3629 has it: no surrogates, nothing overlong or past U+10FFFF.
    private func validateUTF8(_ range: Range<Int>) throws(JSONError) {
        var index = range.lowerBound
        while index < range.upperBound {
            let lead = bytes[index]
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0..<0x80: length = 1
            case 0xC2...0xDF: length = 2
            case 0xE0...0xEF:
                length = 3
                if lead == 0xE0 { second = 0xA0...0xBF }
                if lead == 0xED { second = 0x80...0x9F }
            case 0xF0...0xF4:
                length = 4
                if lead == 0xF0 { second = 0x90...0xBF }
                if lead == 0xF4 { second = 0x80...0x8F }
            default: throw fault("the string is not valid UTF-8", at: index)
            }
            guard index + length <= range.upperBound,
                length == 1 || second.contains(bytes[index + 1]),
                length < 3 || bytes[index + 2] & 0xC0 == 0x80,
                length < 4 || bytes[index + 3] & 0xC0 == 0x80
            else { throw fault("the string is not valid UTF-8", at: index) }
            index += length
        }
    }
}
