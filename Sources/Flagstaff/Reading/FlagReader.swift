/// What flags can be read from: a live ``FlagClient``, or a ``FlagSnapshot`` that stays as it is.
///
/// Reads are synchronous, come from memory, never throw and never wait for the network. Code that reads several
/// flags that must fit together takes one snapshot and reads from that.
public protocol FlagReader: Sendable {
    /// The values in effect now, as one consistent set.
    var snapshot: FlagSnapshot { get }
}

extension FlagReader {
    /// Whether a Boolean flag is on.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What an unknown flag, or one of another type, gives. Default `false`.
    /// - Returns: The flag's value, or the default.
    public func isEnabled(_ key: String, default defaultValue: Bool = false) -> Bool {
        value(for: key, default: defaultValue)
    }

    /// A flag's value.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What the read gives when there is no value of this type; it also says which type is meant.
    /// - Returns: The flag's value, or the default.
    public func value<Value: FlagConvertible>(for key: String, default defaultValue: Value) -> Value {
        snapshot.servedValue(for: key) ?? defaultValue
    }

    /// The value of a flag whose key, type and default were declared once.
    ///
    /// - Parameter key: The declared key.
    public subscript<Value: FlagConvertible>(key: FlagKey<Value>) -> Value {
        value(for: key.name, default: key.defaultValue)
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
        snapshot.evaluate(key, default: defaultValue)
    }

    /// A flag's value with variant, reason, error and metadata.
    ///
    /// - Parameter key: The declared key.
    /// - Returns: The result of the read with all that is known about it.
    public func evaluation<Value: FlagConvertible>(of key: FlagKey<Value>) -> FlagEvaluation<Value> {
        evaluation(of: key.name, default: key.defaultValue)
    }
}
