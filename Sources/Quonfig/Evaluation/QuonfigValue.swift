public import Flagstaff

/// A value as the service serves it.
public enum QuonfigValue: Sendable, Equatable {
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case int(Int64)
    /// A number.
    case double(Double)
    /// Text.
    case string(String)
    /// A list of texts.
    case stringList([String])
    /// An object, or a list of other things than texts.
    case json(FlagValue)
    /// No value.
    case null
}

extension QuonfigValue {
    init(_ value: FlagValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .array(let elements):
            let texts = elements.compactMap(\.stringValue)
            self = texts.count == elements.count ? .stringList(texts) : .json(value)
        case .object: self = .json(value)
        }
    }
}
