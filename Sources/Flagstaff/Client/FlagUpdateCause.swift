/// What made values arrive or change.
///
/// Open: later versions can add causes.
public struct FlagUpdateCause: RawRepresentable, Hashable, Sendable {
    /// The cause as a word.
    public let rawValue: String

    /// Makes a cause from its word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The first context was set.
    public static let start = FlagUpdateCause(rawValue: "start")
    /// Another context was set.
    public static let contextChange = FlagUpdateCause(rawValue: "contextChange")
    /// The app asked.
    public static let refresh = FlagUpdateCause(rawValue: "refresh")
    /// The app ended a pause.
    public static let resume = FlagUpdateCause(rawValue: "resume")
    /// The app came back from the background.
    public static let foreground = FlagUpdateCause(rawValue: "foreground")
    /// The client asked at an interval, or again after a failure.
    public static let poll = FlagUpdateCause(rawValue: "poll")
    /// The service told over a stream.
    public static let push = FlagUpdateCause(rawValue: "push")
    /// Values of an earlier run were found.
    public static let cache = FlagUpdateCause(rawValue: "cache")
    /// The app set or removed an override.
    public static let override = FlagUpdateCause(rawValue: "override")
}

extension FlagUpdateCause: CustomStringConvertible {
    /// The word.
    public var description: String { rawValue }
}
