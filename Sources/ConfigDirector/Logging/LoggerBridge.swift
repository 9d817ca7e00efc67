import Flagstaff

/// Hands what the native client says to the app's logger.
struct LoggerBridge: FlagLogger {
    let logger: any ConfigDirectorLogger

    /// The app's level, as it is now.
    var level: FlagLogLevel {
        switch logger.level {
        case .off, .error: .error
        case .warn: .warning
        case .info: .info
        case .debug: .debug
        }
    }

    func log(_ level: FlagLogLevel, _ message: String) {
        switch level {
        case .debug: logger.debug(message)
        case .info: logger.info(message)
        case .warning: logger.warn(message)
        // That the service refuses the client is logged with its event, with an error that code can look at.
        case .error: logger.info(message)
        }
    }
}
