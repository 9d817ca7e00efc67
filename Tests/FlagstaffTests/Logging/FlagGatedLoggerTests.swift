import Testing

@testable import Flagstaff

@Suite struct FlagGatedLoggerTests {
    private struct RecordingSink: FlagLogSink {
        let messages = Recorder<String>()

        func emit(_ severity: FlagLogSeverity, _ message: String) {
            messages.record("\(severity) \(message)")
        }
    }

    @Test(arguments: FlagLogSeverity.allCases)
    func logsFromTheThresholdOn(threshold: FlagLogSeverity) {
        let sink = RecordingSink()
        let flags = FlagClient.inMemory(["level": .string(threshold.description)])
        let log = FlagGatedLogger(flags, key: "level", sink: sink)
        #expect(log.threshold == threshold)
        log.trace("t")
        log.debug("d")
        log.info("i")
        log.warn("w")
        log.error("e")
        log.fatal("f")
        let all = ["trace t", "debug d", "info i", "warn w", "error e", "fatal f"]
        #expect(sink.messages.elements == Array(all.dropFirst(threshold.rawValue)))
        for severity in FlagLogSeverity.allCases {
            #expect(log.shouldLog(severity) == (severity >= threshold))
        }
    }

    @Test func suppressedMessagesAreNotBuilt() {
        let log = FlagGatedLogger(
            FlagClient.inMemory(["level": "error"]), key: "level", sink: RecordingSink())
        let built = Recorder<String>()
        func message(_ text: String) -> String {
            built.record(text)
            return text
        }
        log.debug(message("debug"))
        log.log(.warn, message("warn"))
        log.error(message("error"))
        #expect(built.elements == ["error"])
    }

    @Test func thresholdIsReadAnewForEachMessage() {
        let sink = RecordingSink()
        let flags = InMemoryFlags(["level": "warn"])
        let log = FlagGatedLogger(flags.client, key: "level", sink: sink)
        log.info("1")
        flags.setValue(" INFO ", for: "level")
        log.info("2")
        flags.setValue("fatal", for: "level")
        log.info("3")
        flags.removeValue(for: "level")
        log.info("4")
        #expect(sink.messages.elements == ["info 2", "info 4"])
        #expect(flags.client.core.reads.drain().isEmpty)
    }

    @Test func withoutAThresholdEverythingIsLogged() throws {
        for value: FlagValue? in [nil, "loud", 3, true, ["level": "fatal"]] {
            let flags = FlagClient.inMemory(value.map { ["level": $0] } ?? [:])
            let log = FlagGatedLogger(flags, key: "level", sink: RecordingSink())
            #expect(log.threshold == nil)
            #expect(log.shouldLog(.trace))
        }
        // A client that has no values yet.
        let fixture = try ClientFixture()
        let sink = RecordingSink()
        FlagGatedLogger(fixture.client, key: "level", sink: sink).trace("early")
        #expect(sink.messages.elements == ["trace early"])
    }
}
