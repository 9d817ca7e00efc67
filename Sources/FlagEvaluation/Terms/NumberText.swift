/// Writes numbers as JavaScript does.
enum NumberText {
    /// What `String(number)` gives: the shortest digits that read back as the same double, with an exponent
    /// only from 1e21 up and below 1e-6.
    static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        if number == 0 { return "0" }
        if let integer = Int64(exactly: number), integer.magnitude < 1 << 53 { return String(integer) }
        return (number < 0 ? "-" : "") + magnitudeText(number.magnitude)
    }

    private static func magnitudeText(_ number: Double) -> String {
        // Swift finds the same digits and only places the point and the exponent differently.
        let parts = number.description.split(separator: "e", maxSplits: 1)
        let mantissa = parts[0].split(separator: ".", maxSplits: 1)
        let whole = mantissa[0]
        let fraction = mantissa.count > 1 ? mantissa[1] : ""
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0

        let allDigits = whole + fraction
        let digits = allDigits.drop { $0 == "0" }
        // The number is 0.DIGITS times ten to this power.
        let power = whole.count + exponent - (allDigits.count - digits.count)
        return place(String(trimmingZeros(digits)), power)
    }

    private static func trimmingZeros(_ digits: Substring) -> Substring {
        var digits = digits
        while digits.last == "0" { digits.removeLast() }
        return digits
    }

    private static func place(_ digits: String, _ power: Int) -> String {
        let count = digits.count
        if count <= power, power <= 21 { return digits + String(repeating: "0", count: power - count) }
        if 0 < power, power <= 21 { return digits.prefix(power) + "." + digits.dropFirst(power) }
        if -6 < power, power <= 0 { return "0." + String(repeating: "0", count: -power) + digits }
        let exponent = (power > 0 ? "e+" : "e-") + String((power - 1).magnitude)
        return digits.prefix(1) + (count > 1 ? "." + digits.dropFirst() : "") + exponent
    }
}
