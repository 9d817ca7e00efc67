/// What a client does while the app is in the background.
public struct FlagBackgroundPolicy: RawRepresentable, Hashable, Sendable {
    /// The policy's name.
    public let rawValue: String

    /// Makes a policy from its name.
    ///
    /// Names that this version does not know act as ``automatic``.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// What suits the platform: ``pause`` on iOS, tvOS and watchOS, whose apps are suspended soon after;
    /// ``keepRunning`` on macOS and Linux.
    public static let automatic = FlagBackgroundPolicy(rawValue: "automatic")
    /// It closes its connections, and takes up work when the app is seen again.
    public static let pause = FlagBackgroundPolicy(rawValue: "pause")
    /// It goes on for as long as the system lets it.
    public static let keepRunning = FlagBackgroundPolicy(rawValue: "keepRunning")

    /// Whether connections are closed, on this platform.
    var pauses: Bool {
        if self == .pause { return true }
        if self == .keepRunning { return false }
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            return true
        #else
            return false
        #endif
    }
}

extension FlagBackgroundPolicy: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
