import Flagstaff

extension AbrovaFlags {
    /// The value of a boolean flag with what is known about it.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: For an unknown flag, one of another type, and while there are no values.
    /// - Returns: The result of the read.
    public func booleanDetail(_ key: String, default defaultValue: Bool) -> FlagDetail<Bool> {
        detail(key, default: defaultValue, \.boolValue)
    }

    /// The value of a string flag with what is known about it.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: For an unknown flag, one of another type, and while there are no values.
    /// - Returns: The result of the read.
    public func stringDetail(_ key: String, default defaultValue: String) -> FlagDetail<String> {
        detail(key, default: defaultValue, \.stringValue)
    }

    /// The value of a number flag with what is known about it.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: For an unknown flag, one of another type, and while there are no values.
    /// - Returns: The result of the read.
    public func numberDetail(_ key: String, default defaultValue: Double) -> FlagDetail<Double> {
        detail(key, default: defaultValue, \.doubleValue)
    }

    /// The value of a json flag that is an object, with what is known about it.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: For an unknown flag, one of another type, and while there are no values.
    /// - Returns: The result of the read.
    public func jsonDetail(_ key: String, default defaultValue: [String: Any]) -> FlagDetail<[String: Any]> {
        detail(key, default: defaultValue) { $0.objectValue?.mapValues(\.untyped) }
    }

    /// The stored value of a flag, of whatever type, with what is known about it.
    ///
    /// Booleans are `Bool`, texts `String`, numbers `NSNumber`, arrays `[Any]`, objects `[String: Any]`.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: For an unknown flag, and while there are no values.
    /// - Returns: The result of the read.
    public func getDetail(_ key: String, default defaultValue: Any) -> FlagDetail<Any> {
        detail(key, default: defaultValue) { $0.untyped }
    }

    private func detail<Value>(
        _ key: String, default defaultValue: Value, _ convert: (FlagValue) -> Value?
    ) -> FlagDetail<Value> {
        // One set of values for the value and for what is told about it.
        let snapshot = client.snapshot
        let evaluation: FlagEvaluation<FlagValue> = snapshot.evaluation(of: key, default: .null)
        return FlagDetail(
            evaluation, snapshot.resolutions[key], default: defaultValue,
            converted: evaluation.isDefault ? nil : convert(evaluation.value))
    }
}

extension FlagDetail {
    /// What the app is told of a read.
    ///
    /// - Parameters:
    ///   - evaluation: The read.
    ///   - resolution: What the service says of the flag, where there is one.
    ///   - defaultValue: The default that the read named.
    ///   - converted: The flag's value as the type that the read asks for; `nil` where there is none or it is of another.
    init(
        _ evaluation: FlagEvaluation<FlagValue>, _ resolution: FlagResolution?, default defaultValue: Value,
        converted: Value?
    ) {
        let isMismatch = !evaluation.isDefault && converted == nil
        let reason: FlagReason =
            if isMismatch {
                .typeMismatch
            } else if let code = evaluation.errorCode {
                .reason(of: code)
            } else {
                resolution.map { .reason(of: $0) } ?? .error
            }
        self.init(
            value: converted ?? defaultValue, enabled: reason == .on || reason == .variant,
            variant: isMismatch ? nil : evaluation.variant, reason: reason,
            version: evaluation.version.flatMap { Int($0) })
    }
}

extension FlagReason {
    /// Why a read gave the default, in the words of this interface.
    fileprivate static func reason(of code: FlagErrorCode) -> String {
        switch code {
        case .providerNotReady: .notReady
        case .flagNotFound: .notFound
        case .typeMismatch: .typeMismatch
        default: .error
        }
    }

    /// Why a flag has its value, in the words of this interface.
    fileprivate static func reason(of resolution: FlagResolution) -> String {
        if resolution.isActive { return resolution.isPlainBoolean ? .on : .variant }
        switch resolution.reason {
        case .disabled: return .off
        case .default: return .default
        case .error: return .error
        default: return resolution.value == nil ? .default : .off
        }
    }
}
