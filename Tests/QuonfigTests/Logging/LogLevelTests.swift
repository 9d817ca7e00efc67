import FlagModel
import FlagstaffTesting
import Testing

@testable import Quonfig

@Suite(.timeLimit(.minutes(1))) struct LogLevelTests {
    @Test func levelsAreInOrderAndReadFromTheWire() {
        #expect(QuonfigLogLevel.allCases == [.trace, .debug, .info, .warn, .error, .fatal])
        #expect(QuonfigLogLevel.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        #expect(QuonfigLogLevel.debug < .info)
        for (text, level) in [
            ("DEBUG", QuonfigLogLevel.debug), (" warn\n", .warn), ("WARNING", .warn), ("Critical", .fatal),
            ("trace", .trace), ("INFO", .info), ("error", .error), ("FATAL", .fatal),
        ] {
            #expect(QuonfigLogLevel(wire: text) == level)
        }
        for text in ["", "verbose", "warns", "0"] { #expect(QuonfigLogLevel(wire: text) == nil) }
    }

    @Test func recordsAtTheThresholdAndAboveAreEmitted() async throws {
        let device = Device(["log-level.my-app": "WARN"])
        let quonfig = await device.ready()
        let sink = RecordingSink()
        let log = QuonfigLogger(quonfig: quonfig, loggerKey: "log-level.my-app", sink: sink)
        func all() {
            log.trace("trace")
            log.debug("debug")
            log.info("info")
            log.warn("warn")
            log.error("error")
            log.fatal("fatal")
        }
        all()
        #expect(sink.messages == ["warn", "error", "fatal"])
        #expect(sink.levels == [.warn, .error, .fatal])
        // The next record counts by the new threshold.
        device.service.setValue("debug", for: "log-level.my-app")
        try await quonfig.updateContext(quonfig.context)
        log.debug("now")
        #expect(sink.messages.last == "now")
        #expect(quonfig.logLevelThreshold(for: "log-level.my-app") == .debug)
        #expect(!quonfig.shouldLog(.trace, loggerKey: "log-level.my-app"))
        #expect(quonfig.shouldLog(.debug, loggerKey: "log-level.my-app"))
    }

    @Test func aSuppressedRecordIsNotBuilt() async {
        let quonfig = await Device(["level": "ERROR"]).ready()
        let log = QuonfigLogger(quonfig: quonfig, loggerKey: "level", sink: RecordingSink())
        func text() -> String {
            Issue.record("built")
            return ""
        }
        log.debug(text())
        log.log(.warn, text())
    }

    @Test(arguments: ["nowhere", "number", "noise"]) func withoutAThresholdEverythingIsEmitted(key: String)
        async
    {
        let quonfig = await Device(["number": 3, "noise": "loud"]).ready()
        #expect(quonfig.logLevelThreshold(for: key) == nil)
        #expect(quonfig.shouldLog(.trace, loggerKey: key))
    }
}
