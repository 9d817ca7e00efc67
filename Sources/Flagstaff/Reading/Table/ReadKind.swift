import FlagModel

/// What a read asks a flag for.
///
/// A flag that is read as two kinds has a cell for each, so that what a read finds needs no conversion.
enum ReadKind: UInt8, CaseIterable, Sendable {
    /// The value as it is, for types that convert it themselves.
    case value
    /// `Bool`.
    case bool
    /// `Int`.
    case int
    /// `Double`.
    case double
    /// `String`.
    case string
    /// Whether the flag is active, whatever its type.
    case activity
    /// A type of the app's own that the value could not be converted to: nothing is served, reads are only counted.
    case unfit

    /// The kind that reads of a type have that is known when the app runs.
    init(erased type: Any.Type) {
        self = [.bool, .int, .double, .string].first { $0.type == type } ?? .value
        if type == Int64.self, Int.bitWidth == 64 { self = .int }
    }

    /// The kind that reads of a type have where the value fits.
    init<Value>(_ type: Value.Type) {
        if type == Bool.self {
            self = .bool
        } else if type == Int.self || type == Int64.self && Int.bitWidth == 64 {
            self = .int
        } else if type == Double.self {
            self = .double
        } else if type == String.self {
            self = .string
        } else {
            self = .value
        }
    }

    /// The type that a read of this kind gives.
    var type: Any.Type {
        switch self {
        case .bool: Bool.self
        case .int: Int.self
        case .double: Double.self
        case .string: String.self
        case .value, .activity, .unfit: FlagValue.self
        }
    }

    /// The name of the type in reports, in the words of JSON Schema; `custom` is a type of the app's own.
    var requestedType: String {
        switch self {
        case .bool: "boolean"
        case .int: "integer"
        case .double: "number"
        case .string: "string"
        case .value, .activity, .unfit: "custom"
        }
    }

    /// Whether a value can be read as this kind, by the one rule for types.
    func fits(_ value: FlagValue) -> Bool {
        switch self {
        case .value, .activity: true
        case .bool: Bool(flagValue: value) != nil
        case .int: Int(flagValue: value) != nil
        case .double: Double(flagValue: value) != nil
        case .string: value.stringValue != nil
        case .unfit: false
        }
    }

    /// The value as 64 bits: a Boolean, a whole number or a double; `nil` for what does not fit or is longer, and for
    /// what the value alone does not tell.
    func bits(of value: FlagValue) -> UInt64? {
        switch self {
        case .bool: Bool(flagValue: value).map { $0 ? 1 : 0 }
        case .int: Int(flagValue: value).map { UInt64(bitPattern: Int64($0)) }
        case .double: Double(flagValue: value).map(\.bitPattern)
        case .value, .string, .activity, .unfit: nil
        }
    }
}
