extension FlagValue {
    /// The Boolean, or `nil` for any other kind of value.
    ///
    /// Nothing is converted: `1` and `"true"` are no Booleans.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The whole number, or `nil`.
    ///
    /// A double converts when it is whole and fits 64 bits (`10.0` is 10, `10.5` is `nil`).
    public var intValue: Int64? {
        switch self {
        case .int(let value): value
        case .double(let value): Int64(lossless: value)
        default: nil
        }
    }

    /// The number, or `nil`.
    ///
    /// A whole number converts when a double holds it exactly (up to 2^53 all do).
    public var doubleValue: Double? {
        switch self {
        case .double(let value): value
        case .int(let value): Double(exactly: value)
        default: nil
        }
    }

    /// The text, or `nil` for any other kind of value.
    ///
    /// Nothing is converted.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements, or `nil` for any other kind of value.
    public var arrayValue: [FlagValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members by name, or `nil` for any other kind of value.
    public var objectValue: [String: FlagValue]? {
        if case .object(let value) = self { value } else { nil }
    }

    /// Whether the value is JSON `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The member of that name, or `nil` when there is none or the value is no object.
    public subscript(name: String) -> FlagValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The kind of value in the words of JSON, for messages: "null", "boolean", "number", "string", "array", "object".
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .int, .double: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The kind as sentences name it: "an object", "a number", "null".
    package var kindWithArticle: String {
        switch self {
        case .null: kind
        case .array, .object: "an \(kind)"
        case .bool, .int, .double, .string: "a \(kind)"
        }
    }
}

extension Int64 {
    /// Converts a double that is whole and fits; `nil` for any other.
    ///
    /// Does what `init(exactly:)` does without its calls to the C library's mathematics, which on Linux is linked
    /// only where some module imports it.
    fileprivate init?(lossless value: Double) {
        guard value >= -0x1p63, value < 0x1p63 else { return nil }
        self.init(value)
        if Double(self) != value { return nil }
    }
}
