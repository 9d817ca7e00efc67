/// A logger for the app's own messages whose threshold is a flag: verbosity is turned up or down from the service.
///
/// The flag serves the name of a ``FlagLogSeverity``; messages of that severity and above are logged. It is read anew
/// for each message, so a change counts from the next one on; these reads are not counted in telemetry. A message
/// below the threshold is not even built. While there is no threshold (no values yet, no such flag, a name that is
/// none) everything is logged.
///
/// ```swift
/// let log = FlagGatedLogger(flags, key: "log-level")
/// log.debug("cache is warm: \(count) entries")
/// ```
///
/// Can be used from any thread.
public struct FlagGatedLogger: Sendable {
    /// The key of the flag that serves the threshold.
    public let key: String
    private let flags: any FlagReader
    private let sink: any FlagLogSink

    /// Makes a logger.
    ///
    /// - Parameters:
    ///   - flags: Where the threshold is read: a client, which the logger keeps alive.
    ///   - key: The key of the flag that serves the threshold.
    ///   - sink: Where messages go. Default `nil`: the system log on Apple platforms, with the app's identifier as
    ///     subsystem and the flag's key as category, and standard error elsewhere.
    public init(_ flags: any FlagReader, key: String, sink: (any FlagLogSink)? = nil) {
        self.flags = flags
        self.key = key
        self.sink = sink ?? defaultFlagLogSink(category: key)
    }

    /// The least severity that is logged now; `nil` where the flag names none, and then everything is.
    public var threshold: FlagLogSeverity? {
        // The snapshot's own reads are no exposures.
        flags.snapshot.servedValue(for: key)
    }

    /// Whether a message of that severity is logged now.
    ///
    /// For gating another logging framework.
    ///
    /// - Parameter severity: The message's severity.
    /// - Returns: Whether it is at the threshold or above.
    public func shouldLog(_ severity: FlagLogSeverity) -> Bool {
        threshold.map { severity >= $0 } ?? true
    }

    /// Logs a message, if its severity is high enough.
    ///
    /// - Parameters:
    ///   - severity: The message's severity.
    ///   - message: The message; built only if it is logged.
    public func log(_ severity: FlagLogSeverity, _ message: @autoclosure () -> String) {
        if shouldLog(severity) { sink.emit(severity, message()) }
    }

    /// Logs a step, if the threshold is at ``FlagLogSeverity/trace``.
    ///
    /// - Parameter message: The message; built only if it is logged.
    public func trace(_ message: @autoclosure () -> String) {
        log(.trace, message())
    }

    /// Logs what helps a developer, if the threshold is at ``FlagLogSeverity/debug`` or below.
    ///
    /// - Parameter message: The message; built only if it is logged.
    public func debug(_ message: @autoclosure () -> String) {
        log(.debug, message())
    }

    /// Logs what happens in the normal course, if the threshold is at ``FlagLogSeverity/info`` or below.
    ///
    /// - Parameter message: The message; built only if it is logged.
    public func info(_ message: @autoclosure () -> String) {
        log(.info, message())
    }

    /// Logs a failure that the app copes with, if the threshold is at ``FlagLogSeverity/warn`` or below.
    ///
    /// - Parameter message: The message; built only if it is logged.
    public func warn(_ message: @autoclosure () -> String) {
        log(.warn, message())
    }

    /// Logs a failure that a user notices, if the threshold is at ``FlagLogSeverity/error`` or below.
    ///
    /// - Parameter message: The message; built only if it is logged.
    public func error(_ message: @autoclosure () -> String) {
        log(.error, message())
    }

    /// Logs that the app cannot go on, whatever the threshold.
    ///
    /// - Parameter message: The message.
    public func fatal(_ message: @autoclosure () -> String) {
        log(.fatal, message())
    }
}
