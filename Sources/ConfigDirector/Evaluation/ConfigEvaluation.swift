/// One evaluation of a config.
public struct ConfigEvaluation: Sendable, Equatable {
    /// The config's key.
    public let key: String
    /// What the evaluation gave: the config's value, or the default that the code named.
    public let value: ConfigEvaluationValue
    /// A stable hash of the config's value, 22 letters and digits; `nil` where the default was used.
    ///
    /// Equal values have equal ones, on every device.
    public let valueID: String?
    /// Whether ``value`` is the default that the code named.
    public let isDefaultValue: Bool
    /// The context that was in effect, if one was.
    public let context: ConfigDirectorContext?
    /// Why it is this value.
    public let reason: EvaluationReason

    init(
        key: String, value: ConfigEvaluationValue, valueID: String?, context: ConfigDirectorContext?,
        reason: EvaluationReason
    ) {
        self.key = key
        self.value = value
        self.valueID = valueID
        isDefaultValue = reason != .foundMatch
        self.context = context
        self.reason = reason
    }
}
