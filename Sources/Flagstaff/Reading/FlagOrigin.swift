/// Where a value that a read gave comes from.
///
/// Open: later versions can add origins.
public struct FlagOrigin: RawRepresentable, Hashable, Sendable {
    /// The origin as a word, such as `network`.
    public let rawValue: String

    /// Makes an origin from its word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The default that the read named.
    public static let `default` = FlagOrigin(rawValue: "default")
    /// The values that the app was built with.
    public static let bootstrap = FlagOrigin(rawValue: "bootstrap")
    /// What an earlier run of the app had stored.
    public static let cache = FlagOrigin(rawValue: "cache")
    /// The service's answer to this client.
    public static let network = FlagOrigin(rawValue: "network")
    /// What was set on this device to look at a flag's other values.
    public static let override = FlagOrigin(rawValue: "override")
}

extension FlagOrigin: CustomStringConvertible {
    /// The word.
    public var description: String { rawValue }
}
