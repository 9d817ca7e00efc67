import Flagstaff
import Testing

@Suite struct FlagLogSeverityTests {
    @Test(arguments: [
        ("trace", FlagLogSeverity.trace), ("DEBUG", .debug), ("Info", .info), ("warn", .warn),
        ("WARNING", .warn),
        ("Warning", .warn), ("error", .error), ("FATAL", .fatal), ("critical", .fatal), ("CRITICAL", .fatal),
        (" \t\n WaRn \r\n", .warn),
    ])
    func readsNamesInAnyCase(name: String, severity: FlagLogSeverity) {
        #expect(FlagLogSeverity(name: name) == severity)
        #expect(FlagLogSeverity(flagValue: .string(name)) == severity)
    }

    @Test(arguments: [
        "", " ", "warns", "warnin", "wa rn", "warn ing", "3", "off", "none", "ınfo", "infо", "de\u{0}bug",
    ])
    func anythingElseIsNone(name: String) {
        #expect(FlagLogSeverity(name: name) == nil)
    }

    @Test func otherTypesAreNone() {
        for value: FlagValue in [2, true, 1.0, ["info"], .null] {
            #expect(FlagLogSeverity(flagValue: value) == nil)
        }
    }

    @Test func ladderGoesUp() {
        #expect(FlagLogSeverity.allCases == FlagLogSeverity.allCases.sorted())
        #expect(
            FlagLogSeverity.allCases.map(\.description) == [
                "trace", "debug", "info", "warn", "error", "fatal",
            ])
        for severity in FlagLogSeverity.allCases {
            #expect(FlagLogSeverity(name: severity.description) == severity)
        }
    }
}
