/// What flags can be read from: a live ``FlagClient``, or a ``FlagSnapshot`` that stays as it is.
///
/// Reads are synchronous, come from memory, never throw and never wait for the network. Code that reads several
/// flags that must fit together takes one snapshot and reads from that.
///
/// A type that has a snapshot is a reader: all reads are built on it. A client brings its own ways for them, so that its
/// reads are counted also where code knows it as `any FlagReader`; those of a snapshot are not.
public protocol FlagReader: Sendable {
    /// The values in effect now, as one consistent set.
    var snapshot: FlagSnapshot { get }

    /// The value of a flag whose key, type and default were declared once.
    ///
    /// - Parameter key: The declared key.
    subscript<Value: FlagConvertible>(key: FlagKey<Value>) -> Value { get }

    /// A flag's value with variant, reason, error and metadata.
    ///
    /// - Parameter key: The declared key.
    /// - Returns: The result of the read with all that is known about it.
    func evaluation<Value: FlagConvertible>(of key: FlagKey<Value>) -> FlagEvaluation<Value>

    /// A flag's value as a type that is decoded from it, with variant, reason, error and metadata.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - type: The type to decode.
    ///   - defaultValue: What the read gives when there is no value, or none that this type can be decoded from.
    /// - Returns: The result of the read with all that is known about it; ``FlagEvaluation/errorDetails`` says where
    ///   decoding failed.
    func evaluation<Value: Decodable & Sendable>(
        of key: String, as type: Value.Type, default defaultValue: Value
    ) -> FlagEvaluation<Value>
}

extension FlagReader {
    /// The value of a flag whose key, type and default were declared once.
    ///
    /// - Parameter key: The declared key.
    public subscript<Value: FlagConvertible>(key: FlagKey<Value>) -> Value {
        snapshot.servedValue(for: key.name) ?? key.defaultValue
    }

    /// A flag's value with variant, reason, error and metadata.
    ///
    /// - Parameter key: The declared key.
    /// - Returns: The result of the read with all that is known about it.
    public func evaluation<Value: FlagConvertible>(of key: FlagKey<Value>) -> FlagEvaluation<Value> {
        let name = key.name
        return snapshot.served(name).evaluation(of: name, default: key.defaultValue)
    }

    /// A flag's value as a type that is decoded from it, with variant, reason, error and metadata.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - type: The type to decode.
    ///   - defaultValue: What the read gives when there is no value, or none that this type can be decoded from.
    /// - Returns: The result of the read with all that is known about it; ``FlagEvaluation/errorDetails`` says where
    ///   decoding failed.
    public func evaluation<Value: Decodable & Sendable>(
        of key: String, as type: Value.Type, default defaultValue: Value
    ) -> FlagEvaluation<Value> {
        snapshot.served(key).evaluation(of: key, as: type, default: defaultValue)
    }
}

extension FlagReader {
    /// Whether a Boolean flag is on.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What an unknown flag, or one of another type, gives. Default `false`.
    /// - Returns: The flag's value, or the default.
    public func isEnabled(_ key: String, default defaultValue: Bool = false) -> Bool {
        self[FlagKey(key, default: defaultValue)]
    }

    /// A flag's value.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What the read gives when there is no value of this type; it also says which type is meant.
    /// - Returns: The flag's value, or the default.
    public func value<Value: FlagConvertible>(for key: String, default defaultValue: Value) -> Value {
        self[FlagKey(key, default: defaultValue)]
    }

    /// A flag's value as a type that is decoded from it: a JSON object, an array, a text, a number.
    ///
    /// The type is decoded with each read. Code that reads often keeps the result, or declares a ``FlagConvertible``
    /// type.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - type: The type to decode.
    ///   - defaultValue: What the read gives when there is no value, or none that this type can be decoded from.
    /// - Returns: The decoded value, or the default.
    public func value<Value: Decodable & Sendable>(
        for key: String, as type: Value.Type, default defaultValue: Value
    ) -> Value {
        evaluation(of: key, as: type, default: defaultValue).value
    }

    /// A flag's value with variant, reason, error and metadata.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What the read gives when there is no value of this type; it also says which type is meant.
    /// - Returns: The result of the read with all that is known about it.
    public func evaluation<Value: FlagConvertible>(
        of key: String, default defaultValue: Value
    ) -> FlagEvaluation<Value> {
        evaluation(of: FlagKey(key, default: defaultValue))
    }
}
