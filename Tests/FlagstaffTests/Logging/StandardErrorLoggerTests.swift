import Testing

@testable import Flagstaff

@Suite struct StandardErrorLoggerTests {
    @Test(arguments: [
        ("one line", "one line\n"), ("", "\n"), ("a\nb", "a\\nb\n"),
        ("a\r\nb\rc\u{2028}d", "a\\nb\\nc\\nd\n"),
        ("ends\n", "ends\\n\n"),
    ])
    func eachMessageIsOneLine(text: String, line: String) {
        #expect(StandardErrorLogger.singleLine(text) == line)
    }

    @Test func helpersBuildOnlyWhatIsOfInterest() {
        struct Logger: FlagLogger {
            let level: FlagLogLevel
            let messages = Recorder<String>()

            func log(_ level: FlagLogLevel, _ message: String) { messages.record("\(level) \(message)") }
        }
        let built = Recorder<String>()
        func message(_ text: String) -> String {
            built.record(text)
            return text
        }
        let all = ["debug d", "info i", "warning w", "error e"]
        for (index, level) in [FlagLogLevel.debug, .info, .warning, .error].enumerated() {
            let logger = Logger(level: level)
            let before = built.elements.count
            logger.debug(message("d"))
            logger.info(message("i"))
            logger.warning(message("w"))
            logger.error(message("e"))
            #expect(logger.messages.elements == Array(all.dropFirst(index)))
            #expect(built.elements.count - before == 4 - index)
        }
        let silent: any FlagLogger = SilentLogger()
        silent.warning(message("silent"))
        #expect(!built.elements.contains("silent"))
    }
}
