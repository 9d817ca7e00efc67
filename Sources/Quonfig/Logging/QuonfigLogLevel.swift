import Flagstaff

/// How important a record is: `trace < debug < info < warn < error < fatal`.
public enum QuonfigLogLevel: Int, Sendable, Comparable, CaseIterable {
    /// Every step.
    case trace
    /// What helps a developer.
    case debug
    /// What happens in the normal course.
    case info
    /// Something failed that the app copes with.
    case warn
    /// Something failed that a user notices.
    case error
    /// The app cannot go on.
    case fatal

    /// Reads a level's name as configs serve it; `nil` for any other text.
    ///
    /// White space around it and upper case do not matter; `WARNING` is ``warn`` and `CRITICAL` is ``fatal``.
    ///
    /// - Parameter wire: The name.
    public init?(wire: String) {
        guard let severity = FlagLogSeverity(name: wire) else { return nil }
        self.init(rawValue: severity.rawValue)
    }

    /// Orders levels by importance.
    public static func < (left: QuonfigLogLevel, right: QuonfigLogLevel) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The native client's name for it.
    var severity: FlagLogSeverity {
        switch self {
        case .trace: .trace
        case .debug: .debug
        case .info: .info
        case .warn: .warn
        case .error: .error
        case .fatal: .fatal
        }
    }
}
