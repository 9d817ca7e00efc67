/// An attribute's value; literals can be written as they are.
public enum ContextValue: Sendable, Equatable {
    /// Text.
    case string(String)
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case int(Int)
    /// A number; one that is not finite is not sent.
    case double(Double)
    /// A list of texts.
    case stringList([String])
}

extension ContextValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Makes text.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension ContextValue: ExpressibleByBooleanLiteral {
    /// Makes `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension ContextValue: ExpressibleByIntegerLiteral {
    /// Makes a whole number.
    public init(integerLiteral value: Int) { self = .int(value) }
}

extension ContextValue: ExpressibleByFloatLiteral {
    /// Makes a number.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension ContextValue: ExpressibleByArrayLiteral {
    /// Makes a list of texts.
    public init(arrayLiteral elements: String...) { self = .stringList(elements) }
}
