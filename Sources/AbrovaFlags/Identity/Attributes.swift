import Flagstaff
import Foundation

/// What an attribute can be.
enum Attributes {
    /// How many there can be.
    static let limit = 100
    /// How many characters a text can have.
    static let textLimit = 1024

    /// Takes the attributes that can be sent; of too many, the first by name.
    ///
    /// - Parameter attributes: What the app gave.
    /// - Returns: What is taken, and a warning for each attribute that is dropped: with its name, never its value.
    static func check(
        _ attributes: [String: Any?]
    ) -> (accepted: [String: FlagValue], warnings: [String]) {
        var accepted: [String: FlagValue] = [:]
        var warnings: [String] = []
        var surplus: [String] = []
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            guard let value = self.value(value) else {
                warnings.append(
                    "attribute '\(name)' is dropped: it must be a text of at most \(textLimit) characters, a finite "
                        + "number, a Bool, nil, or an array of those")
                continue
            }
            if accepted.count < limit { accepted[name] = value } else { surplus.append(name) }
        }
        if !surplus.isEmpty {
            warnings.append(
                "there can be \(limit) attributes; dropped are '\(surplus.joined(separator: "', '"))'")
        }
        return (accepted, warnings)
    }

    private static func value(_ value: Any?) -> FlagValue? {
        scalar(value)
            ?? (value as? [Any?]).flatMap { elements in
                let values = elements.compactMap(scalar)
                return values.count == elements.count ? .array(values) : nil
            }
    }

    private static func scalar(_ value: Any?) -> FlagValue? {
        guard let value, !(value is NSNull) else { return .null }
        if let text = value as? String { return text.count > textLimit ? nil : .string(text) }
        // By its exact type: on Apple platforms a number casts to Bool, too.
        if type(of: value) == Bool.self { return (value as? Bool).map(FlagValue.bool) }
        if let number = value as? any BinaryInteger {
            return Int64(exactly: number).map(FlagValue.int) ?? finite(Double(number))
        }
        if let number = value as? any BinaryFloatingPoint { return finite(Double(number)) }
        if let number = value as? NSNumber { return self.value(of: number) }
        return nil
    }

    private static func value(of number: NSNumber) -> FlagValue? {
        if type(of: number) == type(of: NSNumber(value: true)) { return .bool(number.boolValue) }
        let isFraction = ["d", "f"].contains(String(cString: number.objCType))
        if !isFraction, number == NSNumber(value: number.int64Value) { return .int(number.int64Value) }
        return finite(number.doubleValue)
    }

    private static func finite(_ number: Double) -> FlagValue? {
        number.isFinite ? .double(number) : nil
    }
}
