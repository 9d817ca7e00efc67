import FlagModel

/// The stable hash of a served value: equal values have equal ones, in every process and on every platform.
///
/// It is SHA-256 over the value's text, of which the first 16 bytes are written as a number in base 62, filled up with
/// zeros to 22 digits.
enum ValueID {
    /// The hash of a value.
    static func text(of value: FlagValue) -> String {
        text(ofBytes: Array(value.plainText.utf8))
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

    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
}
