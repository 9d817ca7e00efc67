/// How a client is kept up to date.
public enum ConnectionMode: Sendable {
    /// Over a connection that stays open, on which changes arrive as they happen.
    case streaming
    /// By asking at an interval.
    case polling
}

/// How a client connects.
public struct ConnectionOptions: Sendable {
    /// How often a polling client asks where nothing else is said, in seconds: 60.
    public static let defaultPollingInterval: TimeInterval = 60

    /// How the client is kept up to date.
    ///
    /// Default ``ConnectionMode/streaming``.
    public var mode: ConnectionMode
    /// How often to ask, in seconds, if ``mode`` is ``ConnectionMode/polling``.
    ///
    /// Less than 30 is raised to 30, with a warning; each wait is varied by a tenth. `.infinity` stands for never again.
    /// Default ``defaultPollingInterval``.
    public var pollingInterval: TimeInterval
    /// How long one call of `initialize`, `updateContext` or `resumeNetwork` waits for values, in seconds, however many
    /// attempts that takes.
    ///
    /// Default 3; 0, and what is no number, does not wait.
    public var timeout: TimeInterval
    /// The service's address, where it is not the deployed one; a path is kept.
    ///
    /// Default `nil`.
    public var baseURL: URL?
    /// Whether the connection rests while the app is in the background; without effect on macOS and Linux.
    ///
    /// Default `true`.
    public var pausesWhileBackgrounded: Bool

    /// Makes options.
    ///
    /// - Parameters:
    ///   - mode: How the client is kept up to date.
    ///   - pollingInterval: How often to ask in polling mode, in seconds.
    ///   - timeout: How long calls wait for values, in seconds.
    ///   - baseURL: The service's address.
    ///   - pausesWhileBackgrounded: Whether the connection rests while the app is in the background.
    public init(
        mode: ConnectionMode = .streaming, pollingInterval: TimeInterval = Self.defaultPollingInterval,
        timeout: TimeInterval = 3, baseURL: URL? = nil, pausesWhileBackgrounded: Bool = true
    ) {
        self.mode = mode
        self.pollingInterval = pollingInterval
        self.timeout = timeout
        self.baseURL = baseURL
        self.pausesWhileBackgrounded = pausesWhileBackgrounded
    }
}
