/// Why a flag or config has its value.
public enum EvaluationReason: String, Sendable {
    /// It has no rules.
    case `static` = "STATIC"
    /// A rule matches the context.
    case targetingMatch = "TARGETING_MATCH"
    /// A percentage rollout or an experiment chose it.
    case split = "SPLIT"
    /// No rule matches.
    case `default` = "DEFAULT"
    /// There is no value.
    case error = "ERROR"
}
