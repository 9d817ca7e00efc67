import Flagstaff

/// A logger whose threshold is a config: records at its level and above are emitted.
///
/// The config is read anew for each record, so a change counts from the next one on; these reads are never counted in
/// reports. A record below the threshold is not even built. Can be used from any thread; it keeps the client alive.
public struct QuonfigLogger: Sendable {
    private let gate: FlagGatedLogger
    private let quonfig: Quonfig

    /// Makes a logger.
    ///
    /// - Parameters:
    ///   - quonfig: Where the threshold is read.
    ///   - loggerKey: The key of the config that serves it, the name of a level.
    ///   - sink: Where records go. Default `nil`: the system log on Apple platforms, with the app's identifier as subsystem
    ///     and the key as category; standard error on Linux.
    public init(quonfig: Quonfig, loggerKey: String, sink: (any QuonfigLogSink)? = nil) {
        self.quonfig = quonfig
        gate = FlagGatedLogger(quonfig.client, key: loggerKey, sink: sink.map(SinkBridge.init))
    }

    /// Emits a record, if its level is high enough.
    ///
    /// - Parameters:
    ///   - level: The record's level.
    ///   - message: The text; built only if it is emitted.
    public func log(_ level: QuonfigLogLevel, _ message: @autoclosure () -> String) {
        gate.log(level.severity, message())
    }

    /// Emits every step, if the threshold lets it through.
    ///
    /// - Parameter message: The text; built only if it is emitted.
    public func trace(_ message: @autoclosure () -> String) { log(.trace, message()) }

    /// Emits what helps a developer, if the threshold lets it through.
    ///
    /// - Parameter message: The text; built only if it is emitted.
    public func debug(_ message: @autoclosure () -> String) { log(.debug, message()) }

    /// Emits what happens in the normal course, if the threshold lets it through.
    ///
    /// - Parameter message: The text; built only if it is emitted.
    public func info(_ message: @autoclosure () -> String) { log(.info, message()) }

    /// Emits a failure that the app copes with, if the threshold lets it through.
    ///
    /// - Parameter message: The text; built only if it is emitted.
    public func warn(_ message: @autoclosure () -> String) { log(.warn, message()) }

    /// Emits a failure that a user notices, if the threshold lets it through.
    ///
    /// - Parameter message: The text; built only if it is emitted.
    public func error(_ message: @autoclosure () -> String) { log(.error, message()) }

    /// Emits that the app cannot go on, whatever the threshold.
    ///
    /// - Parameter message: The text.
    public func fatal(_ message: @autoclosure () -> String) { log(.fatal, message()) }
}

/// Hands records to the app's sink.
private struct SinkBridge: FlagLogSink {
    let sink: any QuonfigLogSink

    func emit(_ severity: FlagLogSeverity, _ message: String) {
        // The two have the same levels.
        sink.emit(level: QuonfigLogLevel(rawValue: severity.rawValue) ?? .info, message: message)
    }
}
