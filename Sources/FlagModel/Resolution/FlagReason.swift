/// Why a flag resolved to its value.
///
/// Open: a service can send reasons that are not listed here.
public struct FlagReason: RawRepresentable, Hashable, Sendable {
    /// The reason as it is written in the protocol, such as `TARGETING_MATCH`.
    public let rawValue: String

    /// Makes a reason from its protocol name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The flag has no targeting: everyone gets the default variant.
    public static let `static` = FlagReason(rawValue: "STATIC")
    /// A targeting rule chose the variant.
    public static let targetingMatch = FlagReason(rawValue: "TARGETING_MATCH")
    /// A percentage rollout chose the variant.
    public static let split = FlagReason(rawValue: "SPLIT")
    /// No rule matched, or the flag leaves its value to the code's default.
    public static let `default` = FlagReason(rawValue: "DEFAULT")
    /// The flag is switched off: the code's default applies.
    public static let disabled = FlagReason(rawValue: "DISABLED")
    /// The value comes from the cache of an earlier run.
    public static let cached = FlagReason(rawValue: "CACHED")
    /// The value may be out of date.
    public static let stale = FlagReason(rawValue: "STALE")
    /// The service did not say.
    public static let unknown = FlagReason(rawValue: "UNKNOWN")
    /// Something went wrong; the error code says what.
    public static let error = FlagReason(rawValue: "ERROR")
}

extension FlagReason: CustomStringConvertible {
    /// The protocol name.
    public var description: String { rawValue }
}
