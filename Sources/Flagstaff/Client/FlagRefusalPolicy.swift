/// What a client does when the service refuses it (401, 403, 404).
public struct FlagRefusalPolicy: RawRepresentable, Hashable, Sendable {
    /// The policy's name.
    public let rawValue: String

    /// Makes a policy from its name.
    ///
    /// Names that this version does not know act as ``stop``.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// It stops until the app asks again, with `refresh`, `setContext`, `start` or `resume`.
    public static let stop = FlagRefusalPolicy(rawValue: "stop")
    /// It stops until the app calls `refresh`: contexts that are set meanwhile take effect, and nothing is asked.
    public static let stopUntilRefresh = FlagRefusalPolicy(rawValue: "stopUntilRefresh")
    /// It stops in the same way, and also at any other answer from 400 to 499 but 429.
    public static let stopAtRejection = FlagRefusalPolicy(rawValue: "stopAtRejection")
    /// It says so once in the log and goes on asking, every five minutes or so.
    public static let slowDown = FlagRefusalPolicy(rawValue: "slowDown")
}

extension FlagRefusalPolicy: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
