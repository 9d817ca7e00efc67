import Flagstaff

/// A config's value as the service serves it, and which reads it can be given to.
struct ServedConfig {
    /// What a config is for.
    enum ConfigType: Hashable, Sendable {
        case boolean
        case string
        case custom
        case choice
        case url
        case number
        case json
    }

    /// What a read asks for.
    enum Request: Hashable, Sendable {
        case boolean
        case string
        case number
        /// A type that is decoded from a document.
        case document

        init(_ kind: ConfigValueKind) {
            switch kind.form {
            case .boolean: self = .boolean
            case .string: self = .string
            case .number: self = .number
            }
        }
    }

    /// Why a read gives its default.
    struct Fallback: Error {
        let reason: EvaluationReason
    }

    private let value: FlagValue
    private let type: ConfigType

    /// Looks at a value.
    ///
    /// - Parameters:
    ///   - value: The value, whose JSON type tells what the config is for.
    ///   - metadata: What is attached to the config: `type` tells text apart.
    init(_ value: FlagValue, metadata: [String: FlagValue]) {
        self.value = value
        type =
            switch value {
            case .bool: .boolean
            case .int, .double: .number
            case .string: Self.types[metadata["type"]?.stringValue ?? ""] ?? .string
            case .null, .array, .object: .json
            }
    }

    private static let types: [String: ConfigType] = ["enum": .choice, "url": .url, "custom": .custom]

    /// The config's text, for a read that may have it.
    ///
    /// - Parameter request: What the read asks for.
    /// - Throws: ``Fallback`` where the text is empty, or of a type that the read does not get.
    /// - Returns: The text.
    func text(for request: Request) throws(Fallback) -> String {
        let text = text
        if text.isEmpty { throw Fallback(reason: .valueMissing) }
        guard Self.types(for: request).contains(type) else { throw Fallback(reason: .typeMismatch) }
        return text
    }

    /// The config as a value of a type.
    ///
    /// - Throws: ``Fallback`` with the reason.
    func value<Value: ConfigValue>(as type: Value.Type) throws(Fallback) -> Value {
        let kind = Value.configValueKind
        guard let value = Value(configValue: try text(for: Request(kind))) else {
            throw Fallback(reason: kind.unreadable)
        }
        return value
    }

    /// The config's text: numbers in plain digits, documents compact with sorted names.
    var text: String { value.plainText }

    private static func types(for request: Request) -> Set<ConfigType> {
        switch request {
        case .boolean: [.boolean, .string, .custom]
        case .string: [.string, .custom, .choice, .url, .json]
        case .number: [.number, .string, .custom, .choice]
        case .document: [.json]
        }
    }
}

extension FlagCoercion {
    /// The same rules for the reads that the client makes by itself.
    static let configDirector = FlagCoercion { flag, value, target in
        let config = ServedConfig(value, metadata: flag.metadata)
        do {
            switch target {
            case .bool: return .bool(try config.value(as: Bool.self))
            case .int: return .int(Int64(try config.value(as: Int.self)))
            case .double: return .double(try config.value(as: Double.self))
            default: return .string(try config.value(as: String.self))
            }
        } catch let fallback as ServedConfig.Fallback {
            throw FlagCoercion.Mismatch("config '\(flag.key)' cannot be read so: \(fallback.reason.rawValue)")
        }
    }
}
