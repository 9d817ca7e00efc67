public import FlagModel

extension FlagValue {
    /// The value as the text that ``FlagEvaluation/valueID`` is the hash of: text as it is, numbers in plain digits without
    /// an exponent (`2.0` stays apart from `2`), anything else as compact JSON with sorted names.
    public var plainText: String {
        switch self {
        case .string(let text): text
        case .double(let number): Self.plainDecimal(number)
        case .null, .bool, .int, .array, .object: description
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
}
