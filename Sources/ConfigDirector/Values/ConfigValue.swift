/// A type that configs can be read as: `Bool`, `String`, `Int`, `Double`, and your own.
public protocol ConfigValue: Sendable, Equatable {
    /// Which configs the type can be read from.
    static var configValueKind: ConfigValueKind { get }

    /// Makes the value from the text of a config; `nil` when the text stands for none, and the read then gives its
    /// default.
    ///
    /// Called from any thread, with every read and with every change that a stream looks at.
    ///
    /// - Parameter configValue: The config's text, never empty.
    init?(configValue: String)
}

/// Which configs a type can be read from.
public struct ConfigValueKind: Sendable, Equatable {
    enum Form: Sendable {
        case boolean
        case string
        case number
    }

    let form: Form

    /// Booleans, and text.
    public static let boolean = ConfigValueKind(form: .boolean)
    /// Text, choices, addresses, and JSON documents as text.
    public static let string = ConfigValueKind(form: .string)
    /// Numbers, and text and choices that are some.
    public static let number = ConfigValueKind(form: .number)

    /// Why a read fails whose type is of this kind and finds nothing in the text.
    var unreadable: EvaluationReason {
        switch form {
        case .boolean: .invalidBoolean
        case .string: .typeMismatch
        case .number: .invalidNumber
        }
    }
}
