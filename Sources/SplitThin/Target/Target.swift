import Flagstaff

/// Whom flags are evaluated for.
public struct Target: Hashable, Sendable {
    /// Identifies the entity.
    public let key: Key
    /// What kind of entity it is, such as `user`.
    public let trafficType: String
    /// What targeting rules can look at, as it is sent.
    let values: [String: FlagValue]
    /// The names of what could not be taken.
    let dropped: [String]

    /// Makes a target.
    ///
    /// - Parameters:
    ///   - key: Identifies the entity.
    ///   - attributes: What targeting rules can look at: strings, finite numbers, Booleans, and arrays of those. Others are
    ///     dropped with a warning.
    ///   - trafficType: What kind of entity it is.
    public init(key: Key, attributes: [String: Any]? = nil, trafficType: String) {
        self.key = key
        self.trafficType = trafficType
        (values, dropped) = Attributes.check(attributes ?? [:])
    }

    /// Makes a target.
    ///
    /// - Parameters:
    ///   - matchingKey: Identifies the entity.
    ///   - bucketingKey: The place in percentage rollouts. Default: that of the matching key.
    ///   - attributes: What targeting rules can look at.
    ///   - trafficType: What kind of entity it is.
    public init(
        matchingKey: String, bucketingKey: String? = nil, attributes: [String: Any]? = nil,
        trafficType: String
    ) {
        self.init(
            key: Key(matchingKey: matchingKey, bucketingKey: bucketingKey), attributes: attributes,
            trafficType: trafficType)
    }

    /// Makes a target.
    ///
    /// - Parameters:
    ///   - matchingKey: Identifies the entity.
    ///   - bucketingKey: The place in percentage rollouts. Default: that of the matching key.
    ///   - trafficType: What kind of entity it is.
    ///   - attributes: What targeting rules can look at.
    public init(
        matchingKey: String, bucketingKey: String? = nil, trafficType: String, attributes: [String: Any]?
    ) {
        self.init(
            key: Key(matchingKey: matchingKey, bucketingKey: bucketingKey), attributes: attributes,
            trafficType: trafficType)
    }

    /// What targeting rules can look at; what was dropped is not in it.
    public var attributes: [String: Any] { values.mapValues(\.untyped) }

    /// Whether key, attributes and traffic type are equal.
    public static func == (left: Target, right: Target) -> Bool {
        left.key == right.key && left.values == right.values && left.trafficType == right.trafficType
    }

    /// Hashes key and traffic type.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(trafficType)
    }
}

extension Target {
    /// What the service is told: rules look at the matching key as `targetingKey`, at the other key as `bucketingKey`.
    var context: FlagContext {
        // Always there, so that a rollout can name it for everybody.
        FlagContext(
            key: key.matchingKey, bucketingKey: key.bucketingKey ?? key.matchingKey, attributes: values)
    }
}
