/// The result of one read, with all that is known about it.
public struct FlagEvaluation<Value: Sendable>: Sendable {
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
    /// The flag's version, which the service says in the metadata as `version` or `flagVersion`; `nil` where it says
    /// none.
    public var version: String?
    /// The names of the sets that the flag belongs to, sorted, which the service says in the metadata as `flagSetId`,
    /// or with commas between them as `flagSets`.
    public var flagSets: [String]
    /// Where ``value`` comes from.
    public var origin: FlagOrigin
    /// Whom the flag was evaluated for; `nil` in an evaluation that was not read from a client or snapshot.
    public var context: FlagContext?

    /// The value's hash, computed when it is asked for.
    var identity: ValueIdentity?

    /// A stable hash of what the flag serves: equal values have equal ones, on every device and at any time.
    ///
    /// 22 digits and letters; `nil` where the default was used. It is computed when it is asked for, and once for all
    /// reads of the same value from a client. The hash is SHA-256 over the value's text: text as it is, numbers in
    /// plain digits, anything else as compact JSON with sorted names; its first 16 bytes are written in base 62.
    public var valueID: String? {
        get { identity?.id }
        set { identity = newValue.map(ValueIdentity.known) }
    }

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
    ///   - version: The flag's version. Default: what the metadata says.
    ///   - flagSets: The sets that the flag belongs to. Default: what the metadata says.
    ///   - valueID: The value's stable hash.
    ///   - origin: Where the value comes from. Default: `default` for a default, else `network`.
    ///   - context: Whom the flag was evaluated for.
    public init(
        key: String,
        value: Value,
        isDefault: Bool,
        variant: String? = nil,
        reason: FlagReason,
        errorCode: FlagErrorCode? = nil,
        errorDetails: String? = nil,
        metadata: [String: FlagValue] = [:],
        version: String? = nil,
        flagSets: [String]? = nil,
        valueID: String? = nil,
        origin: FlagOrigin? = nil,
        context: FlagContext? = nil
    ) {
        self.init(
            key: key, value: value, isDefault: isDefault, variant: variant, reason: reason,
            errorCode: errorCode, errorDetails: errorDetails, metadata: metadata,
            version: version ?? FlagMetadata.version(in: metadata),
            flagSets: flagSets ?? FlagMetadata.flagSets(in: metadata, common: [:]),
            identity: valueID.map(ValueIdentity.known), origin: origin ?? (isDefault ? .default : .network),
            context: context)
    }

    /// Makes an evaluation from its parts, none of which follows from another.
    init(
        key: String, value: Value, isDefault: Bool, variant: String?, reason: FlagReason,
        errorCode: FlagErrorCode?, errorDetails: String?, metadata: [String: FlagValue], version: String?,
        flagSets: [String], identity: ValueIdentity?, origin: FlagOrigin, context: FlagContext?
    ) {
        self.key = key
        self.value = value
        self.isDefault = isDefault
        self.variant = variant
        self.reason = reason
        self.errorCode = errorCode
        self.errorDetails = errorDetails
        self.metadata = metadata
        self.version = version
        self.flagSets = flagSets
        self.identity = identity
        self.origin = origin
        self.context = context
    }
}

extension FlagEvaluation: Equatable where Value: Equatable {
    /// Compares what the reads gave: all but ``context``, and ``valueID``, which follows from what is served.
    public static func == (left: FlagEvaluation, right: FlagEvaluation) -> Bool {
        left.key == right.key && left.value == right.value && left.isDefault == right.isDefault
            && left.variant == right.variant && left.reason == right.reason
            && left.errorCode == right.errorCode && left.errorDetails == right.errorDetails
            && left.metadata == right.metadata && left.version == right.version
            && left.flagSets == right.flagSets && left.origin == right.origin
    }
}

extension FlagEvaluation: CustomStringConvertible {
    /// Key, value and why, in a line; for developers, as values can be anything.
    public var description: String {
        var parts = ["\(reason)"]
        if let variant { parts.append("variant \(variant)") }
        if let version { parts.append("version \(version)") }
        parts.append("from \(origin)")
        if let errorCode { parts.append(errorDetails.map { "\(errorCode): \($0)" } ?? "\(errorCode)") }
        return "\(key) = \(value) (\(parts.joined(separator: ", ")))"
    }
}
