extension ConfigDirectorContext {
    /// A trait's value, usually written as a literal.
    public enum TraitValue: Sendable, Equatable {
        /// Text.
        case string(String)
        /// A whole number.
        case int(Int)
        /// A number with a fraction; one that is not finite is not sent.
        case double(Double)
        /// `true` or `false`.
        case bool(Bool)
        /// A list.
        case array([TraitValue])
        /// Values by name.
        case dictionary([String: TraitValue])
        /// No value.
        case null
    }
}

extension ConfigDirectorContext.TraitValue: Encodable {
    /// Writes the plain value; a number that is not finite as `null`, so that it spoils nothing else.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value) where value.isFinite: try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .array(let elements): try container.encode(elements)
        case .dictionary(let members): try container.encode(members)
        case .double, .null: try container.encodeNil()
        }
    }
}

extension ConfigDirectorContext.TraitValue: ExpressibleByNilLiteral {
    /// Makes no value.
    public init(nilLiteral: ()) { self = .null }
}

extension ConfigDirectorContext.TraitValue: ExpressibleByBooleanLiteral {
    /// Makes `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension ConfigDirectorContext.TraitValue: ExpressibleByIntegerLiteral {
    /// Makes a whole number.
    public init(integerLiteral value: Int) { self = .int(value) }
}

extension ConfigDirectorContext.TraitValue: ExpressibleByFloatLiteral {
    /// Makes a number with a fraction.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension ConfigDirectorContext.TraitValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Makes text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension ConfigDirectorContext.TraitValue: ExpressibleByArrayLiteral {
    /// Makes a list.
    public init(arrayLiteral elements: ConfigDirectorContext.TraitValue...) { self = .array(elements) }
}

extension ConfigDirectorContext.TraitValue: ExpressibleByDictionaryLiteral {
    /// Makes values by name; of two with one name the last is kept.
    public init(dictionaryLiteral elements: (String, ConfigDirectorContext.TraitValue)...) {
        self = .dictionary(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
