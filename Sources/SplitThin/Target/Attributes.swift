import Flagstaff
import Foundation

/// What an attribute can be.
enum Attributes {
    /// Takes the attributes that can be sent.
    ///
    /// - Returns: What is taken, and the names of what is dropped.
    static func check(_ attributes: [String: Any]) -> (taken: [String: FlagValue], dropped: [String]) {
        var taken: [String: FlagValue] = [:]
        var dropped: [String] = []
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            if let scalar = scalar(value) {
                taken[name] = scalar
            } else if let elements = value as? [Any] {
                let scalars = elements.compactMap(scalar)
                if scalars.count == elements.count {
                    taken[name] = .array(scalars)
                } else {
                    dropped.append(name)
                }
            } else {
                dropped.append(name)
            }
        }
        return (taken, dropped)
    }

    /// A string, a finite number or a Boolean; `nil` for anything else.
    static func scalar(_ value: Any) -> FlagValue? {
        if let text = value as? String { return .string(text) }
        // By its exact type: on Apple platforms a number casts to Bool, too.
        if type(of: value) == Bool.self { return (value as? Bool).map(FlagValue.bool) }
        if let number = value as? any BinaryInteger {
            return Int64(exactly: number).map(FlagValue.int) ?? finite(Double(number))
        }
        if let number = value as? any BinaryFloatingPoint { return finite(Double(number)) }
        if let number = value as? NSNumber {
            if type(of: number) == type(of: NSNumber(value: true)) { return .bool(number.boolValue) }
            let isFraction = ["d", "f"].contains(String(cString: number.objCType))
            if !isFraction, number == NSNumber(value: number.int64Value) { return .int(number.int64Value) }
            return finite(number.doubleValue)
        }
        return nil
    }

    private static func finite(_ number: Double) -> FlagValue? {
        number.isFinite ? .double(number) : .none
    }
}

extension FlagValue {
    /// The value as code without types expects it.
    var untyped: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .int(let value): Int(value)
        case .double(let value): value
        case .string(let value): value
        case .array(let elements): elements.map(\.untyped)
        case .object(let members): members.mapValues(\.untyped)
        }
    }
}
