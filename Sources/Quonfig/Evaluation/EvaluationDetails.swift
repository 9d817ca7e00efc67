import Flagstaff

/// A flag's or config's value with what is known about it.
public struct EvaluationDetails: Sendable, Equatable {
    /// The value; `nil` where there is none.
    public var value: QuonfigValue?
    /// Why it is this value.
    public var reason: EvaluationReason
    /// What led to the value: `static`, `targeting:` with the rule, `split:` with the place, or `default`.
    ///
    /// The rule is ``ruleIndex`` and the place ``weightedValueIndex`` where the flag's metadata tell them, else both are the
    /// name of the variant.
    public var variant: String
    /// The number of the rule that matched: `ruleIndex` of the flag's metadata.
    public var ruleIndex: Int?
    /// The place of the value in its rollout: `weightedValueIndex` of the flag's metadata.
    public var weightedValueIndex: Int?
    /// The config's id: `configId` of the flag's metadata.
    public var configId: String?
    /// The config's type: `configType` of the flag's metadata.
    public var configType: String?

    /// Makes a result, for tests of code that takes one.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - reason: Why it is this value.
    ///   - variant: What led to it.
    ///   - ruleIndex: The number of the rule that matched.
    ///   - weightedValueIndex: The place of the value in its rollout.
    ///   - configId: The config's id.
    ///   - configType: The config's type.
    public init(
        value: QuonfigValue?, reason: EvaluationReason, variant: String, ruleIndex: Int? = nil,
        weightedValueIndex: Int? = nil, configId: String? = nil, configType: String? = nil
    ) {
        self.value = value
        self.reason = reason
        self.variant = variant
        self.ruleIndex = ruleIndex
        self.weightedValueIndex = weightedValueIndex
        self.configId = configId
        self.configType = configType
    }
}

extension EvaluationDetails {
    /// What is known of a read.
    ///
    /// - Parameters:
    ///   - read: The read.
    ///   - resolution: What the service says of the flag, where there is one.
    init(_ read: FlagEvaluation<FlagValue>, _ resolution: FlagResolution?) {
        let metadata = resolution?.metadata ?? [:]
        let rule = metadata["ruleIndex"]?.intValue.map(Int.init)
        let place = metadata["weightedValueIndex"]?.intValue.map(Int.init)
        self.init(
            value: read.isDefault ? nil : QuonfigValue(read.value), reason: .error, variant: "default",
            ruleIndex: rule, weightedValueIndex: place, configId: metadata["configId"]?.stringValue,
            configType: metadata["configType"]?.stringValue)
        guard let resolution, resolution.errorCode == nil else { return }
        switch resolution.reason {
        case .static: (reason, variant) = (.static, "static")
        case .targetingMatch:
            (reason, variant) = (.targetingMatch, "targeting:\(rule.map(String.init) ?? read.variant ?? "")")
        case .split: (reason, variant) = (.split, "split:\(place.map(String.init) ?? read.variant ?? "")")
        case .error: break
        // What is off, and what else a service may say, is a default to the app.
        default: reason = .default
        }
    }
}
