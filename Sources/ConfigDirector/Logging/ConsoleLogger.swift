import Flagstaff

/// Writes messages to the unified log, subsystem `com.configdirector.sdk`; on Linux to standard error.
///
/// Debug messages are private in the log, all others can be read on a device.
public struct ConsoleLogger: ConfigDirectorLogger {
    /// How much is written.
    public let level: ConfigDirectorLogLevel
    private let sink: any FlagLogSink
    private let privateSink: any FlagLogSink

    /// Makes a logger.
    ///
    /// - Parameter level: How much is written. Default ``ConfigDirectorLogLevel/warn``.
    public init(level: ConfigDirectorLogLevel = .warn) {
        self.level = level
        #if canImport(os)
            let subsystem = "com.configdirector.sdk"
            sink = SystemLogSink(subsystem: subsystem, category: "client", isPublic: true)
            privateSink = SystemLogSink(subsystem: subsystem, category: "client")
        #else
            sink = StandardErrorLogSink(label: "configdirector")
            privateSink = sink
        #endif
    }

    /// Writes a message, if ``level`` lets it through.
    ///
    /// - Parameters:
    ///   - level: How important it is.
    ///   - message: One line of text.
    ///   - error: What went wrong, added to the line.
    public func log(_ level: ConfigDirectorLogLevel, message: String, error: (any Error)?) {
        guard level <= self.level else { return }
        let line = error.map { "\(message): \($0.localizedDescription)" } ?? message
        switch level {
        case .off: break
        case .error: sink.emit(.error, line)
        case .warn: sink.emit(.warn, line)
        case .info: sink.emit(.info, line)
        case .debug: privateSink.emit(.debug, line)
        }
    }
}
