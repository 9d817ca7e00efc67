private import Foundation

/// Where the messages of a ``FlagGatedLogger`` go.
///
/// Bridging to another logging library is one type with one method. Called on the thread that logs.
public protocol FlagLogSink: Sendable {
    /// Takes a message that is to be logged.
    ///
    /// - Parameters:
    ///   - severity: How important it is.
    ///   - message: The app's text, as it is.
    func emit(_ severity: FlagLogSeverity, _ message: String)
}

/// Writes messages to standard error, one line each: `warn: …`.
public struct StandardErrorLogSink: FlagLogSink {
    private let label: String

    /// Makes the sink.
    ///
    /// - Parameter label: What each line begins with, such as the app's name. Default: nothing.
    public init(label: String = "") {
        self.label = label.isEmpty ? "" : label + " "
    }

    /// Writes the message in one piece; line ends in it become `\n`, so that no message looks like another one.
    public func emit(_ severity: FlagLogSeverity, _ message: String) {
        StandardErrorLogger.write("\(label)\(severity): \(message)")
    }
}

/// The system log on Apple platforms, standard error elsewhere.
func defaultFlagLogSink(category: String) -> any FlagLogSink {
    #if canImport(os)
        SystemLogSink(subsystem: Bundle.main.bundleIdentifier ?? "app", category: category)
    #else
        StandardErrorLogSink()
    #endif
}
