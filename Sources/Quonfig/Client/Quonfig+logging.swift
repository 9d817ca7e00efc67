import Flagstaff

extension Quonfig {
    /// Whether a record of that level is to be emitted, by the threshold that a config serves.
    ///
    /// Read anew with each call, and never counted in reports. Without a threshold (no values yet, no such config, no level's
    /// name) everything is.
    ///
    /// - Parameters:
    ///   - level: The record's level.
    ///   - loggerKey: The config's key.
    /// - Returns: Whether it is at the threshold or above.
    public func shouldLog(_ level: QuonfigLogLevel, loggerKey: String) -> Bool {
        gate(loggerKey).shouldLog(level.severity)
    }

    /// The threshold that a config serves.
    ///
    /// - Parameter loggerKey: The config's key, any config whose value is the name of a level.
    /// - Returns: The level; `nil` for an unknown config, and where the value is no level's name.
    public func logLevelThreshold(for loggerKey: String) -> QuonfigLogLevel? {
        gate(loggerKey).threshold.flatMap { QuonfigLogLevel(rawValue: $0.rawValue) }
    }

    private func gate(_ key: String) -> FlagGatedLogger {
        FlagGatedLogger(client, key: key, sink: NoSink.only)
    }
}

/// Takes no messages: for a gate that is only asked.
private struct NoSink: FlagLogSink {
    static let only = NoSink()

    func emit(_ severity: FlagLogSeverity, _ message: String) {}
}
