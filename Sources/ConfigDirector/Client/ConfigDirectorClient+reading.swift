import Flagstaff

// The types of the language are read by the native client itself, which is over in nanoseconds; only where somebody
// listens to evaluations are they read the long way.

extension ConfigDirectorClient {
    /// A Boolean config's value.
    ///
    /// - Parameters:
    ///   - key: The config's key.
    ///   - defaultValue: What the read gives where there is no value that can be read as a Boolean.
    /// - Returns: The config's value, or the default.
    public func value(for key: String, default defaultValue: Bool) -> Bool {
        if reader.isPlain { return flags.value(for: key, default: defaultValue) }
        return reader.evaluate(key, default: defaultValue)
    }

    /// A number config's value as a whole number: what follows the point is cut off.
    ///
    /// - Parameters:
    ///   - key: The config's key.
    ///   - defaultValue: What the read gives where there is no value that can be read as a whole number.
    /// - Returns: The config's value, or the default.
    public func value(for key: String, default defaultValue: Int) -> Int {
        if reader.isPlain { return flags.value(for: key, default: defaultValue) }
        return reader.evaluate(key, default: defaultValue)
    }

    /// A number config's value.
    ///
    /// - Parameters:
    ///   - key: The config's key.
    ///   - defaultValue: What the read gives where there is no value that can be read as a number.
    /// - Returns: The config's value, or the default.
    public func value(for key: String, default defaultValue: Double) -> Double {
        if reader.isPlain { return flags.value(for: key, default: defaultValue) }
        return reader.evaluate(key, default: defaultValue)
    }

    /// A text config's value.
    ///
    /// - Parameters:
    ///   - key: The config's key.
    ///   - defaultValue: What the read gives where there is no value that can be read as text.
    /// - Returns: The config's value, or the default.
    public func value(for key: String, default defaultValue: String) -> String {
        if reader.isPlain { return flags.value(for: key, default: defaultValue) }
        return reader.evaluate(key, default: defaultValue)
    }

    /// A config's value as the type of the default.
    ///
    /// Never waits and never fails: where there is no value, or none of that type, it gives the default.
    ///
    /// - Parameters:
    ///   - key: The config's key.
    ///   - defaultValue: What the read gives where there is no value of this type; it also says which type is meant.
    /// - Returns: The config's value, or the default.
    public func value<Value: ConfigValue>(for key: String, default defaultValue: Value) -> Value {
        reader.evaluate(key, default: defaultValue)
    }

    /// A JSON config's value as a type that is decoded from it.
    ///
    /// - Parameters:
    ///   - key: The config's key.
    ///   - type: The type to decode.
    ///   - defaultValue: What the read gives where the config is no JSON config, or its document does not fit the type.
    /// - Returns: The decoded value, or the default.
    public func value<Value: Decodable & Sendable>(
        for key: String, as type: Value.Type, default defaultValue: Value
    ) -> Value {
        reader.evaluate(key, as: type, default: defaultValue)
    }
}

extension ConfigDirectorClient {
    /// A config's value as it is now, and then each other value that it takes.
    ///
    /// A reader that is slower than the changes gets the newest. The sequence ends when the client is closed or let go of,
    /// or the reading task is cancelled; it does not keep the client alive.
    ///
    /// - Parameters:
    ///   - key: The config's key.
    ///   - defaultValue: What stands for the config where it has no value of this type.
    /// - Returns: The sequence of values.
    public func values<Value: ConfigValue>(
        for key: String, default defaultValue: Value
    ) -> AsyncStream<Value> {
        hub.watch(key) { [reader] in reader.evaluate(key, default: defaultValue) }
    }

    /// A JSON config's value as a type that is decoded from it, as it is now, and then each other value that it takes.
    ///
    /// Like ``values(for:default:)``.
    ///
    /// - Parameters:
    ///   - key: The config's key.
    ///   - type: The type to decode.
    ///   - defaultValue: What stands for the config where it is no JSON config, or its document does not fit the type.
    /// - Returns: The sequence of values.
    public func values<Value: Decodable & Sendable & Equatable>(
        for key: String, as type: Value.Type, default defaultValue: Value
    ) -> AsyncStream<Value> {
        hub.watch(key) { [reader] in reader.evaluate(key, as: type, default: defaultValue) }
    }
}
