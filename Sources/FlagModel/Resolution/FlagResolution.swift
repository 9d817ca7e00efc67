/// What evaluating one flag for one context gave: a value, or "use the code's default", or an error.
public struct FlagResolution: Hashable, Sendable {
    /// The flag's key.
    public var key: String
    /// The value, or `nil` when the code's default applies (no default variant, a disabled flag, an error).
    public var value: FlagValue?
    /// The name of the variant that the value belongs to.
    public var variant: String?
    /// Why it is this value.
    public var reason: FlagReason
    /// What went wrong, or `nil`.
    public var errorCode: FlagErrorCode?
    /// What went wrong in words, for developers.
    public var errorDetails: String?
    /// What the flag's author attached: strings, numbers and Booleans by name.
    public var metadata: [String: FlagValue]

    /// Makes a resolution from its parts.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - value: The value, or `nil` when the code's default applies.
    ///   - variant: The name of the variant.
    ///   - reason: Why it is this value.
    ///   - errorCode: What went wrong, or `nil`.
    ///   - errorDetails: What went wrong in words.
    ///   - metadata: What the flag's author attached.
    public init(
        key: String,
        value: FlagValue? = nil,
        variant: String? = nil,
        reason: FlagReason,
        errorCode: FlagErrorCode? = nil,
        errorDetails: String? = nil,
        metadata: [String: FlagValue] = [:]
    ) {
        self.key = key
        self.value = value
        self.variant = variant
        self.reason = reason
        self.errorCode = errorCode
        self.errorDetails = errorDetails
        self.metadata = metadata
    }
}
