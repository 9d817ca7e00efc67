import Flagstaff

// Reads: from memory, at any time and from any thread.

extension AbrovaFlags {
    /// Whether a flag is on: its reason is `ON` or `VARIANT`.
    ///
    /// - Parameter key: The flag's key.
    /// - Returns: Whether it is; `false` for an unknown flag, and while there are no values.
    public func isEnabled(_ key: String) -> Bool {
        client.isActive(key)
    }

    /// The value of a boolean flag.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: For an unknown flag, one of another type, and while there are no values.
    /// - Returns: The value, or the default.
    public func getBoolean(_ key: String, default defaultValue: Bool) -> Bool {
        client.value(for: key, default: defaultValue)
    }

    /// The value of a string flag.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: For an unknown flag, one of another type, and while there are no values.
    /// - Returns: The value, or the default.
    public func getString(_ key: String, default defaultValue: String) -> String {
        client.value(for: key, default: defaultValue)
    }

    /// The value of a number flag.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: For an unknown flag, one of another type, and while there are no values.
    /// - Returns: The value, or the default.
    public func getNumber(_ key: String, default defaultValue: Double) -> Double {
        client.value(for: key, default: defaultValue)
    }

    /// The value of a json flag that is an object.
    ///
    /// Numbers in it are `NSNumber`, so that `as? Int` and `as? Double` both work; `null` is `NSNull`.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: For an unknown flag, one of another type, and while there are no values.
    /// - Returns: The value, or the default.
    public func getJson(_ key: String, default defaultValue: [String: Any]) -> [String: Any] {
        jsonDetail(key, default: defaultValue).value
    }

    /// The value of a json flag as a type of the app's.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - type: The type to decode, with each call.
    ///   - defaultValue: For an unknown flag, one that this type cannot be decoded from, and while there are no values.
    /// - Returns: The decoded value, or the default.
    public func getJson<Value: Decodable>(
        _ key: String, as type: Value.Type, default defaultValue: Value
    ) -> Value {
        client.value(for: key, as: Decoded<Value>.self, default: Decoded(value: defaultValue)).value
    }
}

/// Lets a type of the app's be decoded that does not say whether it is `Sendable`.
///
/// Unchecked: it is made and used up within one call on one thread.
private struct Decoded<Value: Decodable>: Decodable, @unchecked Sendable {
    let value: Value

    init(value: Value) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        value = try Value(from: decoder)
    }
}
