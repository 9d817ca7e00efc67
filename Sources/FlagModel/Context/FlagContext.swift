/// Who or what the flags are evaluated for: a targeting key and attributes that rules can look at.
///
/// Two contexts are equal when their contents are; the order of attributes means nothing, `1` and `true` differ.
/// Attributes can be nested (`["device": ["mobile": true]]`), and a rule then names `device.mobile`.
public struct FlagContext: Sendable {
    /// Identifies the subject (a user, a device, an account), or `nil` where there is no identity.
    ///
    /// Percentage rollouts follow it unless their rule names something else.
    public var targetingKey: String?
    /// Percentage rollouts can follow this key in place of the targeting key: rules name it `bucketingKey`.
    ///
    /// Default `nil`.
    public var bucketingKey: String?
    /// Whether the subject is not signed in: rules name it `anonymous`.
    ///
    /// Sent only when `true`. Default `false`.
    public var isAnonymous: Bool
    /// What else rules can look at, by name.
    ///
    /// The names `targetingKey`, `bucketingKey` and `anonymous` are overridden by the properties of that name
    /// where those are set; `$flagd` is reserved and not sent.
    public var attributes: [String: FlagValue]

    /// Makes a context.
    ///
    /// - Parameters:
    ///   - key: The targeting key. Default: none.
    ///   - bucketingKey: A key of its own for percentage rollouts. Default: none.
    ///   - isAnonymous: Whether the subject is not signed in. Default: `false`.
    ///   - attributes: What else rules can look at. Numbers that are not finite are not sent. Default: nothing.
    public init(
        key: String? = nil,
        bucketingKey: String? = nil,
        isAnonymous: Bool = false,
        attributes: [String: FlagValue] = [:]
    ) {
        self.targetingKey = key
        self.bucketingKey = bucketingKey
        self.isAnonymous = isAnonymous
        self.attributes = attributes
    }
}

extension FlagContext {
    /// The context as rules see it, and as it is sent: one object of all properties.
    package var members: [String: FlagValue] {
        var members = attributes.compactMapValues(\.finite)
        members["$flagd"] = nil
        if let targetingKey { members["targetingKey"] = .string(targetingKey) }
        if let bucketingKey { members["bucketingKey"] = .string(bucketingKey) }
        if isAnonymous { members["anonymous"] = true }
        return members
    }

    /// A digest of the contents, the same in every process.
    package var fingerprint: Fingerprint { Fingerprint(of: .object(members)) }
}

extension FlagContext: Hashable {
    /// Compares what rules see of two contexts, byte by byte: Unicode normalization makes no two keys one.
    public static func == (left: FlagContext, right: FlagContext) -> Bool {
        OFREPContext.body(for: left) == OFREPContext.body(for: right)
    }

    /// Feeds what rules see of the context into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(fingerprint)
    }
}

extension FlagContext: CustomStringConvertible {
    /// How many attributes there are, and nothing personal: fit for logs.
    public var description: String {
        let key = targetingKey == nil ? "no targeting key" : "a targeting key"
        return "FlagContext(\(key), \(attributes.count) attributes)"
    }
}

extension FlagValue {
    /// The value without the numbers that JSON cannot express; `nil` when nothing is left.
    fileprivate var finite: FlagValue? {
        switch self {
        // `.none` and not `nil`, which would be the value `null`.
        case .double(let number): number.isFinite ? self : .none
        case .array(let elements): .array(elements.compactMap(\.finite))
        case .object(let members): .object(members.compactMapValues(\.finite))
        default: self
        }
    }
}
