/// A config's value in a test, usually written as a literal: its case says what type the config is of.
public enum TestValue: Sendable, Equatable {
    /// A Boolean config.
    case boolean(Bool)
    /// A whole-number config.
    case integer(Int)
    /// A number config; the number must be finite.
    case float(Double)
    /// A text config, also where the text is a JSON document.
    case string(String)
    /// A JSON config whose document is an object.
    case object([String: TestValue])
    /// A JSON config whose document is a list.
    case array([TestValue])
}

extension TestValue: ExpressibleByBooleanLiteral {
    /// Makes a Boolean config's value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension TestValue: ExpressibleByIntegerLiteral {
    /// Makes a whole-number config's value.
    public init(integerLiteral value: Int) { self = .integer(value) }
}

extension TestValue: ExpressibleByFloatLiteral {
    /// Makes a number config's value.
    public init(floatLiteral value: Double) { self = .float(value) }
}

extension TestValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Makes a text config's value.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension TestValue: ExpressibleByArrayLiteral {
    /// Makes a JSON config's value that is a list.
    public init(arrayLiteral elements: TestValue...) { self = .array(elements) }
}

extension TestValue: ExpressibleByDictionaryLiteral {
    /// Makes a JSON config's value that is an object; of two members with one name the last is kept.
    public init(dictionaryLiteral elements: (String, TestValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
