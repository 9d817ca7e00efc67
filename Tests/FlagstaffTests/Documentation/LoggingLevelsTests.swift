import Flagstaff
import Foundation
import Testing

/// The samples of the article "Logging levels from a flag".
@Suite(.timeLimit(.minutes(1))) struct LoggingLevelsTests {
    private let records = Recorder<String>()
    private var logger: Logging.Logger { Logging.Logger(logLevel: .info, records: records) }

    @Test func messagesGoWhereTheFlagLetsThem() {
        let (count, reason) = (3, "a failure")
        let flags = FlagClient.inMemory(["log-level": "warn"])
        do {
            let log = FlagGatedLogger(flags, key: "log-level")

            log.debug("cache is warm: \(count) entries")
            log.warn("trying again after \(reason)")
        }
        let log = FlagGatedLogger(flags, key: "log-level", sink: SwiftLogSink(logger: logger))
        log.debug("cache is warm: \(count) entries")
        log.warn("trying again after \(reason)")
        log.fatal("the end")
        #expect(records.elements == ["warning: trying again after a failure", "critical: the end"])
        let cart = "cart"
        if log.shouldLog(.debug) { dump(cart) }
    }

    @Test func clientsMessagesGoWhereTheirLevelLetsThem() async throws {
        // Port 9 is for discarding: nobody answers there.
        let url = try #require(URL(string: "http://127.0.0.1:9"))
        var configuration = FlagClientConfiguration(endpoint: url, key: "client-key")
        configuration.logger = SwiftLogLogger(logger: logger)
        configuration.cache = .memory
        let flags = try FlagClient(configuration)
        await flags.start(context: FlagContext(key: "user-123"))
        #expect(records.elements.first?.hasPrefix("warning: cannot get flags") == true)
        let levels = [Logging.Logger.Level.trace, .debug, .info, .notice, .warning, .error, .critical].map {
            SwiftLogLogger(logger: Logging.Logger(logLevel: $0, records: records)).level
        }
        #expect(levels == [.debug, .debug, .info, .warning, .warning, .error, .error])
    }
}

/// As much of swift-log's module `Logging` as the samples name.
private enum Logging {
    struct Logger: Sendable {
        enum Level: Sendable {
            case trace
            case debug
            case info
            case notice
            case warning
            case error
            case critical
        }

        struct Message: ExpressibleByStringInterpolation {
            let text: String

            init(stringLiteral text: String) {
                self.text = text
            }
        }

        var logLevel: Level
        let records: Recorder<String>

        func log(level: Level, _ message: @autoclosure () -> Message) {
            records.record("\(level): \(message().text)")
        }
    }
}

private struct SwiftLogSink: FlagLogSink {
    let logger: Logging.Logger

    func emit(_ severity: FlagLogSeverity, _ message: String) {
        let level: Logging.Logger.Level =
            switch severity {
            case .trace: .trace
            case .debug: .debug
            case .info: .info
            case .warn: .warning
            case .error: .error
            case .fatal: .critical
            }
        logger.log(level: level, "\(message)")
    }
}

private struct SwiftLogLogger: FlagLogger {
    let logger: Logging.Logger

    var level: FlagLogLevel {
        switch logger.logLevel {
        case .trace, .debug: .debug
        case .info: .info
        case .notice, .warning: .warning
        case .error, .critical: .error
        }
    }

    func log(_ level: FlagLogLevel, _ message: String) {
        let level: Logging.Logger.Level =
            switch level {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
        logger.log(level: level, "\(message)")
    }
}
