/// A JSON-like value: what a flag serves and what a context's attributes hold.
///
/// Whole numbers and fractions are stored apart: `1` is ``int(_:)``, `1.0` is ``double(_:)``, and each is written
/// back the way it was read. The accessors (``intValue``, ``doubleValue``) convert between them where nothing is
/// lost. Two strings are equal when their UTF-8 bytes are: Unicode normalization never makes two values one.
public enum FlagValue: Sendable {
    /// JSON `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number, exact over all 64 bits.
    case int(Int64)
    /// A number that was written with a fraction or an exponent, or that does not fit 64 bits. Always finite when
    /// it comes from JSON.
    case double(Double)
    /// Text.
    case string(String)
    /// An ordered list of values.
    case array([FlagValue])
    /// Values by name. The order of names means nothing; names are compared as Swift compares strings.
    case object([String: FlagValue])
}

extension FlagValue: Hashable {
    /// Compares two values without converting: `1`, `1.0` and `true` all differ.
    public static func == (left: FlagValue, right: FlagValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Feeds the value into a hasher.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }
}

extension FlagValue: CustomStringConvertible {
    /// The value as compact JSON with sorted names.
    public var description: String { jsonText }
}
