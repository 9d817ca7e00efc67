import FlagService
import Testing

@testable import FlagstaffCommand

@Suite struct LogWriterTests {
    private static let entry = ServiceLog.Entry(
        level: .info, message: "rules in force",
        fields: [("flags", "16"), ("file", "my flags.json"), ("level", "x")])

    @Test func writesTextForPeople() {
        let line = LogWriter.line(Self.entry, format: .text, time: "2026-01-02T03:04:05Z")
        #expect(line == "2026-01-02T03:04:05Z info    rules in force flags=16 file=\"my flags.json\" level=x")
    }

    @Test func writesJSONForPrograms() {
        let line = LogWriter.line(Self.entry, format: .json, time: "2026-01-02T03:04:05Z")
        #expect(
            line == """
                {"file":"my flags.json","flags":"16","level":"info","message":"rules in force",\
                "time":"2026-01-02T03:04:05Z"}
                """)
    }

    @Test func keepsALineOneLine() {
        let entry = ServiceLog.Entry(
            level: .error, message: "a\nb", fields: [("x", "c\r\nd\u{1B}[0m"), ("y", "")])
        let line = LogWriter.line(entry, format: .text, time: "t")
        #expect(line == "t error   a\u{FFFD}b x=\"c\\r\\nd\\u001b[0m\" y=\"\"")
    }
}
