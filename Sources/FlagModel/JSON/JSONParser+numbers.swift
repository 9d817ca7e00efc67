extension JSONParser {
    mutating func parseNumber() throws(JSONError) -> FlagValue {
        let start = position
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }

        // The digits as one whole number, as long as they fit 64 bits.
        var digits: UInt64 = 0
        var fits = true
        let integerStart = position
        scanDigits(into: &digits, fits: &fits)
        let integerCount = position - integerStart
        if integerCount == 0 { throw fault("expected a digit") }
        if integerCount > 1, bytes[integerStart] == UInt8(ascii: "0") {
            throw fault("a number cannot start with 0", at: integerStart)
        }

        var scale = 0
        var isWhole = true
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            let fractionStart = position
            scanDigits(into: &digits, fits: &fits)
            scale = fractionStart - position
            if scale == 0 { throw fault("expected a digit after '.'") }
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            position += 1
            scale += try parseExponent()
        }

        if isWhole, fits {
            if isNegative, digits <= Int64.min.magnitude {
                return .int(Int64(truncatingIfNeeded: 0 &- digits))
            }
            if !isNegative, digits <= Int64.max { return .int(Int64(digits)) }
        }
        return .double(try double(digits, scale, isNegative, fits, from: start))
    }

    private mutating func scanDigits(into digits: inout UInt64, fits: inout Bool) {
        while position < bytes.count {
            let digit = bytes[position] &- UInt8(ascii: "0")
            guard digit < 10 else { return }
            let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
            if overflow || carry { fits = false }
            digits = sum
            position += 1
        }
    }

    private mutating func parseExponent() throws(JSONError) -> Int {
        var isNegative = false
        if position < bytes.count {
            if bytes[position] == UInt8(ascii: "-") {
                isNegative = true
                position += 1
            } else if bytes[position] == UInt8(ascii: "+") {
                position += 1
            }
        }
        let start = position
        var exponent = 0
        while position < bytes.count {
            let digit = bytes[position] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            exponent = min(exponent * 10 + Int(digit), 100_000)
            position += 1
        }
        if position == start { throw fault("expected a digit in the exponent") }
        return isNegative ? -exponent : exponent
    }

    /// `digits * 10^scale`, correctly rounded.
    private func double(
        _ digits: UInt64, _ scale: Int, _ isNegative: Bool, _ fits: Bool, from start: Int
    ) throws(JSONError) -> Double {
        // Both factors are exact as doubles, so one operation rounds once (Clinger's fast path).
        if fits, digits <= 1 << 53, abs(scale) <= 22 {
            let power = powersOfTen[abs(scale)]
            let magnitude = scale < 0 ? Double(digits) / power : Double(digits) * power
            return isNegative ? -magnitude : magnitude
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw fault("the number \(text.prefix(40)) is too large", at: start)
        }
        return value
    }
}

private let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]
