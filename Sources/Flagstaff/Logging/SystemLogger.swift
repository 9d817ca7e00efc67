#if canImport(os)
    private import os

    /// Writes messages to the system log, subsystem `flagstaff`, category `client`.
    public struct SystemLogger: FlagLogger {
        /// The least level that is written.
        public var level: FlagLogLevel
        private let logger = Logger(subsystem: "flagstaff", category: "client")

        /// Makes the logger.
        ///
        /// - Parameter level: The least level to write. Default ``FlagLogLevel/warning``.
        public init(level: FlagLogLevel = .warning) {
            self.level = level
        }

        /// Writes the message, if its level is high enough.
        ///
        /// It is public in the log: messages hold nothing personal.
        public func log(_ level: FlagLogLevel, _ message: String) {
            guard level >= self.level else { return }
            switch level {
            case .debug: logger.debug("\(message, privacy: .private)")
            case .info: logger.info("\(message, privacy: .public)")
            case .warning: logger.warning("\(message, privacy: .public)")
            case .error: logger.error("\(message, privacy: .public)")
            }
        }
    }
#endif
