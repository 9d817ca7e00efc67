/// Which values are enough for `start` and `setContext` to return.
public struct FlagStartRequirement: RawRepresentable, Hashable, Sendable {
    /// The requirement's name.
    public let rawValue: String

    /// Makes a requirement from its name.
    ///
    /// Names that this version does not know act as ``fresh``.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The service's own, as it evaluates them now.
    public static let fresh = FlagStartRequirement(rawValue: "fresh")
    /// Stored ones of an earlier run too: the call then returns within milliseconds, with the outcome
    /// ``FlagUpdateOutcome/cached``, while the service is asked.
    public static let cached = FlagStartRequirement(rawValue: "cached")
}

extension FlagStartRequirement: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
