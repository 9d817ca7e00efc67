/// Identifies whom flags are evaluated for, and whose place in percentage rollouts counts.
public final class Key: Hashable, Sendable {
    /// Identifies the entity: targeting rules follow it.
    public let matchingKey: String
    /// The place in percentage rollouts; `nil` for that of the matching key.
    public let bucketingKey: String?

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - matchingKey: Identifies the entity.
    ///   - bucketingKey: The place in percentage rollouts. Default: that of the matching key.
    public init(matchingKey: String, bucketingKey: String? = nil) {
        self.matchingKey = matchingKey
        self.bucketingKey = bucketingKey
    }

    /// Whether both keys are equal.
    public static func == (left: Key, right: Key) -> Bool {
        left.matchingKey == right.matchingKey && left.bucketingKey == right.bucketingKey
    }

    /// Hashes both keys.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(matchingKey)
        hasher.combine(bucketingKey)
    }
}
