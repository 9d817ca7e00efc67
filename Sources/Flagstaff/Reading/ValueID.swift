import FlagModel

/// The stable hash of a served value: equal values have equal ones, in every process and on every platform.
///
/// It is SHA-256 over the value's text, of which the first 16 bytes are written as a number in base 62, filled up with
/// zeros to 22 digits.
enum ValueID {
    /// The hash of a value.
    static func text(of value: FlagValue) -> String {
        text(ofBytes: Array(servedText(of: value).utf8))
    }

    /// The hash of a text's bytes.
    static func text(ofBytes bytes: [UInt8]) -> String {
        var words = (high: UInt64(0), low: UInt64(0))
        for (index, byte) in SHA256.digest(of: bytes).prefix(16).enumerated() {
            if index < 8 {
                words.high = words.high << 8 | UInt64(byte)
            } else {
                words.low = words.low << 8 | UInt64(byte)
            }
        }
        var text = [UInt8](repeating: digits[0], count: 22)
        for position in text.indices.reversed() {
            let high = words.high.quotientAndRemainder(dividingBy: 62)
            let low = UInt64(62).dividingFullWidth((high.remainder, words.low))
            words = (high.quotient, low.quotient)
            text[position] = digits[Int(low.remainder)]
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A value as text: strings as they are, numbers in plain digits, anything else as compact JSON with sorted names.
    static func servedText(of value: FlagValue) -> String {
        switch value {
        case .string(let text): text
        case .double(let number): plainDecimal(number)
        case .null, .bool, .int, .array, .object: value.jsonText
        }
    }

    /// The shortest digits that read back as the same number, without an exponent: `1e21` has 22 digits before the
    /// point, `2.0` stays `2.0`.
    private static func plainDecimal(_ number: Double) -> String {
        let text = number.description
        guard let exponentMark = text.firstIndex(of: "e"),
            let exponent = Int(text[text.index(after: exponentMark)...])
        else { return text }
        var mantissa = text[..<exponentMark]
        let sign = mantissa.hasPrefix("-") ? "-" : ""
        if !sign.isEmpty { mantissa.removeFirst() }
        let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
        let whole = parts[0]
        let fraction = parts.count > 1 && parts[1] != "0" ? parts[1] : ""
        let significant = Array(whole + fraction)
        // How many of the digits stand before the point.
        let point = whole.count + exponent
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + String(significant) }
        if point >= significant.count {
            return sign + String(significant) + String(repeating: "0", count: point - significant.count)
                + ".0"
        }
        return sign + String(significant[..<point]) + "." + String(significant[point...])
    }

    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
}
