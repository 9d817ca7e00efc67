/// Why an evaluation gave its value.
public enum EvaluationReason: String, Sendable {
    /// The service's value was read.
    case foundMatch = "found-match"
    /// The service has no config of that key for this client.
    case configStateMissing = "config-state-missing"
    /// No values have arrived yet.
    case clientNotReady = "client-not-ready"
    /// The config is of a type that cannot be read as the one asked for.
    case typeMismatch = "type-mismatch"
    /// The config has no value for the context.
    case valueMissing = "value-missing"
    /// The config was read as a number, and its text is none.
    case invalidNumber = "invalid-number"
    /// The config was decoded, and its document does not fit the type.
    case invalidJSON = "invalid-json"
    /// The config was read as a Boolean, and its text is neither `true` nor `false`.
    case invalidBoolean = "invalid-boolean"
}
