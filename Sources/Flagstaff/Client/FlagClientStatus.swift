/// What a client is doing at a moment.
public struct FlagClientStatus: Hashable, Sendable {
    /// How values are kept up to date at a moment.
    ///
    /// Open: later versions can add some.
    public struct Connection: RawRepresentable, Hashable, Sendable {
        /// The state's name.
        public let rawValue: String

        /// Makes a state from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Nothing is under way: not started, or the sync mode asks no more.
        public static let idle = Connection(rawValue: "idle")
        /// The client is trying to reach the service.
        public static let connecting = Connection(rawValue: "connecting")
        /// A stream delivers changes as they happen.
        public static let streaming = Connection(rawValue: "streaming")
        /// The client asks at intervals.
        public static let polling = Connection(rawValue: "polling")
        /// The client rests: see ``FlagClient/pause()`` and ``FlagBackgroundPolicy``.
        public static let paused = Connection(rawValue: "paused")
        /// The service refused the client; it waits for `refresh`, `setContext` or `start`.
        public static let stopped = Connection(rawValue: "stopped")
        /// The client is closed for good.
        public static let closed = Connection(rawValue: "closed")
    }

    /// How values are kept up to date.
    public var connection: Connection
    /// Whether there are values of any context.
    public var isReady: Bool
    /// Why the last attempt failed; `nil` after one that worked.
    public var lastError: FlagClientError?

    /// Makes a status.
    ///
    /// - Parameters:
    ///   - connection: How values are kept up to date.
    ///   - isReady: Whether there are values of any context.
    ///   - lastError: Why the last attempt failed.
    public init(connection: Connection, isReady: Bool, lastError: FlagClientError? = nil) {
        self.connection = connection
        self.isReady = isReady
        self.lastError = lastError
    }
}

extension FlagClientStatus.Connection: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}

extension FlagClientStatus: CustomStringConvertible {
    /// All of it in a line, fit for logs.
    public var description: String {
        "\(connection), \(isReady ? "ready" : "not ready")" + (lastError.map { ", last error: \($0)" } ?? "")
    }
}
