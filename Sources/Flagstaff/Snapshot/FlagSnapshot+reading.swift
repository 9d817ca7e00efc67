extension FlagSnapshot {
    /// The flag with that key, byte by byte: a key that only looks the same, written with other Unicode scalars, is
    /// another key.
    func resolution(of key: String) -> FlagResolution? {
        guard let resolution = contents.resolutions[key], resolution.key.utf8.elementsEqual(key.utf8) else {
            return nil
        }
        return resolution
    }

    /// Where the flag's value comes from.
    func origin(of key: String) -> FlagOrigin {
        contents.origins[key] ?? contents.origin
    }

    /// The flag's own value as that type, or `nil` when the default applies.
    func servedValue<Value: FlagConvertible>(for key: String) -> Value? {
        guard let resolution = resolution(of: key), resolution.errorCode == nil,
            let value = resolution.value
        else { return nil }
        return Value(flagValue: value)
    }

    /// The flag's value with all that is known about it.
    func evaluate<Value: FlagConvertible>(_ key: String, default defaultValue: Value) -> FlagEvaluation<Value>
    {
        guard let resolution = resolution(of: key) else {
            return FlagEvaluation(
                key: key, value: defaultValue, isDefault: true, reason: .error,
                errorCode: isReady ? .flagNotFound : .providerNotReady,
                errorDetails: isReady
                    ? "the service has no flag '\(key)' for this client"
                    : "no values have arrived yet: await start(context:) first, or read again later",
                metadata: metadata)
        }
        var evaluation = FlagEvaluation(
            key: key, value: defaultValue, isDefault: true, variant: resolution.variant,
            reason: isStale ? .stale : resolution.reason, errorCode: resolution.errorCode,
            errorDetails: resolution.errorDetails, metadata: resolution.metadata)
        if resolution.errorCode != nil {
            evaluation.reason = .error
        } else if let served = resolution.value {
            if let value = Value(flagValue: served) {
                evaluation.value = value
                evaluation.isDefault = false
            } else {
                evaluation.variant = nil
                evaluation.reason = .error
                evaluation.errorCode = .typeMismatch
                evaluation.errorDetails = "flag '\(key)' serves a \(served.kind) that is no \(Value.self)"
            }
        }
        return evaluation
    }
}
