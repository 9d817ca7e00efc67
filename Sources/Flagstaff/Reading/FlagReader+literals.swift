// The generic reads again for the types of literals. `FlagValue` can be written as a literal too, and without these the
// compiler takes `value(for: "gap", default: 8.0) == 8` for a comparison of two flag values, which differ.

extension FlagReader {
    /// A Boolean flag's value.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What the read gives when there is no value of this type.
    /// - Returns: The flag's value, or the default.
    public func value(for key: String, default defaultValue: Bool) -> Bool {
        self[FlagKey(key, default: defaultValue)]
    }

    /// A whole-number flag's value.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What the read gives when there is no value of this type.
    /// - Returns: The flag's value, or the default.
    public func value(for key: String, default defaultValue: Int) -> Int {
        self[FlagKey(key, default: defaultValue)]
    }

    /// A number flag's value.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What the read gives when there is no value of this type.
    /// - Returns: The flag's value, or the default.
    public func value(for key: String, default defaultValue: Double) -> Double {
        self[FlagKey(key, default: defaultValue)]
    }

    /// A text flag's value.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What the read gives when there is no value of this type.
    /// - Returns: The flag's value, or the default.
    public func value(for key: String, default defaultValue: String) -> String {
        self[FlagKey(key, default: defaultValue)]
    }

    /// A Boolean flag's value with variant, reason, error and metadata.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What the read gives when there is no value of this type.
    /// - Returns: The result of the read with all that is known about it.
    public func evaluation(of key: String, default defaultValue: Bool) -> FlagEvaluation<Bool> {
        evaluation(of: FlagKey(key, default: defaultValue))
    }

    /// A whole-number flag's value with variant, reason, error and metadata.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What the read gives when there is no value of this type.
    /// - Returns: The result of the read with all that is known about it.
    public func evaluation(of key: String, default defaultValue: Int) -> FlagEvaluation<Int> {
        evaluation(of: FlagKey(key, default: defaultValue))
    }

    /// A number flag's value with variant, reason, error and metadata.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What the read gives when there is no value of this type.
    /// - Returns: The result of the read with all that is known about it.
    public func evaluation(of key: String, default defaultValue: Double) -> FlagEvaluation<Double> {
        evaluation(of: FlagKey(key, default: defaultValue))
    }

    /// A text flag's value with variant, reason, error and metadata.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What the read gives when there is no value of this type.
    /// - Returns: The result of the read with all that is known about it.
    public func evaluation(of key: String, default defaultValue: String) -> FlagEvaluation<String> {
        evaluation(of: FlagKey(key, default: defaultValue))
    }
}
