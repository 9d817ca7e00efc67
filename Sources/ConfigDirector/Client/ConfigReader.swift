import Flagstaff

/// Reads configs as the module's types, counts the reads and tells who listens.
struct ConfigReader: Sendable {
    let flags: FlagClient
    let hub: ClientHub
    let evaluations: EvaluationStreams

    /// Whether reads as the types of the language need not be told to anybody: then the native ones do.
    @inline(__always)
    var isPlain: Bool { !evaluations.isObserved }

    /// A config's value as any type.
    func evaluate<Value: ConfigValue>(_ key: String, default defaultValue: Value) -> Value {
        evaluate(key, default: defaultValue) { config throws(ServedConfig.Fallback) in
            try config.value(as: Value.self)
        }
    }

    /// A config's document as a type that is decoded from it.
    func evaluate<Value: Decodable & Sendable>(
        _ key: String, as type: Value.Type, default defaultValue: Value
    ) -> Value {
        evaluate(key, default: defaultValue) { config throws(ServedConfig.Fallback) in
            let document = try config.text(for: .document)
            do {
                return try JSONDecoder().decode(type, from: Data(document.utf8))
            } catch {
                throw ServedConfig.Fallback(reason: .invalidJSON)
            }
        }
    }

    private func evaluate<Value: Sendable>(
        _ key: String, default defaultValue: Value,
        _ convert: (ServedConfig) throws(ServedConfig.Fallback) -> Value
    ) -> Value {
        // Not counted yet: what it counts for is known when it is converted.
        var (read, standing) = consistentRead(of: key)
        var result = defaultValue
        var reason = EvaluationReason.foundMatch
        if read.isDefault {
            reason = missing(read.errorCode, isReady: standing.isReady)
        } else {
            do throws(ServedConfig.Fallback) {
                result = try convert(ServedConfig(read.value, metadata: read.metadata))
            } catch {
                reason = error.reason
                read.isDefault = true
                if reason != .valueMissing {
                    read.reason = .error
                    read.errorCode = .typeMismatch
                }
            }
        }
        let served = reason == .foundMatch ? read.value.plainText : nil
        flags.recordRead(of: read, as: Value.self)
        if evaluations.isObserved {
            evaluations.publish(
                ConfigEvaluation(
                    key: key, value: ConfigEvaluationValue(result, served: served),
                    valueID: served == nil ? nil : read.valueID, context: standing.context,
                    reason: reason))
        }
        return result
    }

    /// A read, and what the connection was like when it was made: both of one moment, unless the connection changes with
    /// every try.
    private func consistentRead(
        of key: String
    ) -> (FlagEvaluation<FlagValue>, standing: (isReady: Bool, context: ConfigDirectorContext?)) {
        var standing = hub.standing
        for _ in 0..<8 {
            let read = flags.snapshot.evaluation(of: key, default: FlagValue.null)
            let later = hub.standing
            if later == standing { return (read, standing) }
            standing = later
        }
        return (flags.snapshot.evaluation(of: key, default: FlagValue.null), standing)
    }

    private func missing(_ code: FlagErrorCode?, isReady: Bool) -> EvaluationReason {
        guard code == .flagNotFound || code == .providerNotReady else { return .valueMissing }
        return isReady ? .configStateMissing : .clientNotReady
    }
}
