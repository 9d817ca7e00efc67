/// How important a message of the app is, for a threshold that a flag sets: `trace < debug < info < warn < error < fatal`.
///
/// These six are all there will be. Not to be confused with ``FlagLogLevel``, the levels of the client's own reports.
public enum FlagLogSeverity: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// Every step, for following one path through the code.
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

    /// Reads a severity's name; `nil` for any other text.
    ///
    /// White space around it and upper case do not matter; `WARNING` is `warn` and `CRITICAL` is `fatal`.
    ///
    /// - Parameter name: The name.
    public init?(name: some StringProtocol) {
        // Compared byte by byte, as this runs with each message that a logger is asked about.
        let bytes = name.utf8.drop(while: Self.isSpace)
        for (candidate, severity) in Self.names {
            var rest = bytes.dropFirst(0)
            let isPrefix = candidate.utf8.allSatisfy { byte in
                rest.popFirst().map { $0 | 0x20 == byte } ?? false
            }
            if isPrefix, rest.allSatisfy(Self.isSpace) {
                self = severity
                return
            }
        }
        return nil
    }

    /// Orders severities by importance.
    public static func < (left: FlagLogSeverity, right: FlagLogSeverity) -> Bool {
        left.rawValue < right.rawValue
    }

    private static let names: [(String, FlagLogSeverity)] = [
        ("trace", .trace), ("debug", .debug), ("info", .info), ("warn", .warn), ("warning", .warn),
        ("error", .error), ("fatal", .fatal), ("critical", .fatal),
    ]

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }
}

extension FlagLogSeverity: FlagConvertible {
    /// Makes the severity whose name a flag serves; `nil` for other text and for other types of value.
    public init?(flagValue: FlagValue) {
        guard let name = flagValue.stringValue else { return nil }
        self.init(name: name)
    }
}

extension FlagLogSeverity: CustomStringConvertible {
    /// The name in lower case.
    public var description: String {
        switch self {
        case .trace: "trace"
        case .debug: "debug"
        case .info: "info"
        case .warn: "warn"
        case .error: "error"
        case .fatal: "fatal"
        }
    }
}
