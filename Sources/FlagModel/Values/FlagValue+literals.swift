extension FlagValue: ExpressibleByNilLiteral {
    /// Makes JSON `null`.
    public init(nilLiteral: ()) { self = .null }
}

extension FlagValue: ExpressibleByBooleanLiteral {
    /// Makes a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension FlagValue: ExpressibleByIntegerLiteral {
    /// Makes a whole number.
    public init(integerLiteral value: Int64) { self = .int(value) }
}

extension FlagValue: ExpressibleByFloatLiteral {
    /// Makes a number with a fraction: `1.0` stays apart from `1`.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension FlagValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Makes text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension FlagValue: ExpressibleByArrayLiteral {
    /// Makes a list.
    public init(arrayLiteral elements: FlagValue...) { self = .array(elements) }
}

extension FlagValue: ExpressibleByDictionaryLiteral {
    /// Makes an object.
    ///
    /// Of two members with one name the last is kept.
    public init(dictionaryLiteral elements: (String, FlagValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
