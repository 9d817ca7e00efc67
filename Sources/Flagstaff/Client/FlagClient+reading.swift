extension FlagClient: FlagReader {
    /// The values in effect now, as one consistent set.
    ///
    /// Taking one costs no copy. Reads from it are not counted; ``recordRead(of:)`` counts one that matters.
    public var snapshot: FlagSnapshot { reads.load() }

    /// The value of a flag whose key, type and default were declared once.
    ///
    /// - Parameter key: The declared key.
    public subscript<Value: FlagConvertible>(key: FlagKey<Value>) -> Value {
        // Generic code that does not know the type gets the quick ways of those below all the same.
        switch ReadKind(Value.self) {
        case .bool: if let key = key as? FlagKey<Bool>, let value = self[key] as? Value { return value }
        case .int: if let key = key as? FlagKey<Int>, let value = self[key] as? Value { return value }
        case .double: if let key = key as? FlagKey<Double>, let value = self[key] as? Value { return value }
        case .string: if let key = key as? FlagKey<String>, let value = self[key] as? Value { return value }
        case .value, .activity, .unfit: break
        }
        return reads.value(key.name, default: key.defaultValue)
    }

    /// A flag's value with variant, reason, error and metadata.
    ///
    /// - Parameter key: The declared key.
    /// - Returns: The result of the read with all that is known about it.
    public func evaluation<Value: FlagConvertible>(of key: FlagKey<Value>) -> FlagEvaluation<Value> {
        reads.evaluation(key.name, default: key.defaultValue)
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
        reads.evaluation(key, as: type, default: defaultValue)
    }
}

// The reads that are over in nanoseconds: they are counted, and neither lock nor allocate.

extension FlagClient {
    /// Whether a Boolean flag is on.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What an unknown flag, or one of another type, gives. Default `false`.
    /// - Returns: The flag's value, or the default.
    public func isEnabled(_ key: String, default defaultValue: Bool = false) -> Bool {
        reads.bool(key, default: defaultValue)
    }

    /// Whether a flag of whatever type is switched on by its own rules: ``FlagResolution/isActive``.
    ///
    /// - Parameter key: The flag's key.
    /// - Returns: Whether it is; `false` for an unknown flag, and before there are values.
    public func isActive(_ key: String) -> Bool {
        reads.isActive(key)
    }

    /// A Boolean flag's value.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What the read gives when there is no value of this type.
    /// - Returns: The flag's value, or the default.
    public func value(for key: String, default defaultValue: Bool) -> Bool {
        reads.bool(key, default: defaultValue)
    }

    /// A whole-number flag's value.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What the read gives when there is no value of this type.
    /// - Returns: The flag's value, or the default.
    public func value(for key: String, default defaultValue: Int) -> Int {
        reads.int(key, default: defaultValue)
    }

    /// A number flag's value.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What the read gives when there is no value of this type.
    /// - Returns: The flag's value, or the default.
    public func value(for key: String, default defaultValue: Double) -> Double {
        reads.double(key, default: defaultValue)
    }

    /// A text flag's value.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What the read gives when there is no value of this type.
    /// - Returns: The flag's value, or the default.
    public func value(for key: String, default defaultValue: String) -> String {
        reads.string(key, default: defaultValue)
    }

    /// The value of a declared Boolean flag.
    ///
    /// - Parameter key: The declared key.
    public subscript(key: FlagKey<Bool>) -> Bool {
        switch key.storedName {
        case .literal(let name): reads.bool(literal: name, default: key.defaultValue)
        case .text(let name): reads.bool(name, default: key.defaultValue)
        }
    }

    /// The value of a declared whole-number flag.
    ///
    /// - Parameter key: The declared key.
    public subscript(key: FlagKey<Int>) -> Int {
        switch key.storedName {
        case .literal(let name): reads.int(literal: name, default: key.defaultValue)
        case .text(let name): reads.int(name, default: key.defaultValue)
        }
    }

    /// The value of a declared number flag.
    ///
    /// - Parameter key: The declared key.
    public subscript(key: FlagKey<Double>) -> Double {
        switch key.storedName {
        case .literal(let name): reads.double(literal: name, default: key.defaultValue)
        case .text(let name): reads.double(name, default: key.defaultValue)
        }
    }

    /// The value of a declared text flag.
    ///
    /// - Parameter key: The declared key.
    public subscript(key: FlagKey<String>) -> String {
        switch key.storedName {
        case .literal(let name): reads.string(literal: name, default: key.defaultValue)
        case .text(let name): reads.string(name, default: key.defaultValue)
        }
    }
}
