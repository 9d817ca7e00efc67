/// What reads give between a change of context and the arrival of its values.
public struct FlagContextSwitchPolicy: RawRepresentable, Hashable, Sendable {
    /// The policy's name.
    public let rawValue: String

    /// Makes a policy from its name.
    ///
    /// Names that this version does not know act as ``keepUntilReplaced``.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The former context's values stay, with the reason `STALE`, until values of the new one are here, stored ones or
    /// the service's: nothing flickers when an attribute changes.
    ///
    /// They are never taken for, or mixed with, the new context's.
    public static let keepUntilReplaced = FlagContextSwitchPolicy(rawValue: "keepUntilReplaced")
    /// The former context's values are gone at once; reads give stored values of the new context, else the code's
    /// defaults, until the service answers.
    public static let cachedElseDefaults = FlagContextSwitchPolicy(rawValue: "cachedElseDefaults")
    /// The former context's values are gone at once; reads give the code's defaults until the service answers,
    /// whatever is stored.
    ///
    /// For apps where one user must not see what another was shown.
    public static let dropAtOnce = FlagContextSwitchPolicy(rawValue: "dropAtOnce")

    /// Whether the former values can be read until there are others.
    var keepsValues: Bool { self != .dropAtOnce && self != .cachedElseDefaults }
}

extension FlagContextSwitchPolicy: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
