#if canImport(os)
    private import os

    /// Writes messages to the system log: `trace` and `debug` as debug, `info` as info, `warn` as default, `error` as
    /// error and `fatal` as fault.
    public struct SystemLogSink: FlagLogSink {
        private let logger: Logger
        private let isPublic: Bool

        /// Makes the sink.
        ///
        /// - Parameters:
        ///   - subsystem: The log's subsystem, usually the app's identifier.
        ///   - category: The log's category.
        ///   - isPublic: Whether messages can be read on a device without a debugger: only for messages without
        ///     anything personal. Default `false`.
        public init(subsystem: String, category: String, isPublic: Bool = false) {
            logger = Logger(subsystem: subsystem, category: category)
            self.isPublic = isPublic
        }

        /// Writes the message.
        public func emit(_ severity: FlagLogSeverity, _ message: String) {
            let type: OSLogType =
                switch severity {
                case .trace, .debug: .debug
                case .info: .info
                case .warn: .default
                case .error: .error
                case .fatal: .fault
                }
            if isPublic {
                logger.log(level: type, "\(message, privacy: .public)")
            } else {
                logger.log(level: type, "\(message, privacy: .private)")
            }
        }
    }
#endif
