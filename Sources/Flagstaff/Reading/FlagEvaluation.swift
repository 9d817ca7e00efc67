/// The result of one read, with all that is known about it.
public struct FlagEvaluation<Value: FlagConvertible>: Equatable, Sendable {
    /// The flag's key.
    public var key: String
    /// The flag's value, or the default that the read named.
    public var value: Value
    /// Whether ``value`` is the default that the read named.
    public var isDefault: Bool
    /// The name of the variant that the value belongs to.
    public var variant: String?
    /// Why it is this value.
    ///
    /// `ERROR` comes with an ``errorCode``; `STALE` says that the value belongs to the former context, as the
    /// new one's is still on the way.
    public var reason: FlagReason
    /// What went wrong, or `nil`: `PROVIDER_NOT_READY` before the first values, `FLAG_NOT_FOUND`, `TYPE_MISMATCH`,
    /// or what the service says.
    public var errorCode: FlagErrorCode?
    /// What went wrong in words, for developers.
    public var errorDetails: String?
    /// What the flag's author attached; for an unknown flag, what is attached to the whole set.
    public var metadata: [String: FlagValue]

    /// Makes an evaluation from its parts.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - value: The flag's value, or the default.
    ///   - isDefault: Whether the value is the default that the read named.
    ///   - variant: The name of the variant.
    ///   - reason: Why it is this value.
    ///   - errorCode: What went wrong, or `nil`.
    ///   - errorDetails: What went wrong in words.
    ///   - metadata: What the flag's author attached.
    public init(
        key: String,
        value: Value,
        isDefault: Bool,
        variant: String? = nil,
        reason: FlagReason,
        errorCode: FlagErrorCode? = nil,
        errorDetails: String? = nil,
        metadata: [String: FlagValue] = [:]
    ) {
        self.key = key
        self.value = value
        self.isDefault = isDefault
        self.variant = variant
        self.reason = reason
        self.errorCode = errorCode
        self.errorDetails = errorDetails
        self.metadata = metadata
    }
}
