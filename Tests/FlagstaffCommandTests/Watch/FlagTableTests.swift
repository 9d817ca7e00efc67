import FlagModel
import Testing

@testable import FlagstaffCommand

@Suite struct FlagTableTests {
    private let flags = [
        FlagResolution(key: "checkout", value: true, variant: "on", reason: .targetingMatch),
        FlagResolution(key: "theme", value: "dark", variant: "dark", reason: .static),
        FlagResolution(key: "open", reason: .default),
        FlagResolution(key: "broken", reason: .error, errorCode: .general, errorDetails: "no such variant"),
    ]

    @Test func alignsItsColumns() {
        let lines = FlagTable(width: 100, usesColor: false).lines(flags)
        #expect(
            lines == [
                "FLAG      VALUE           VARIANT  REASON",
                "checkout  true            on       TARGETING_MATCH",
                "theme     \"dark\"          dark     STATIC",
                "open      (code default)           DEFAULT",
                "broken    (error)                  ERROR: GENERAL",
            ])
    }

    @Test(arguments: [40, 60, 80])
    func cutsLongValuesSoThatItFits(width: Int) {
        let long = FlagResolution(
            key: "banner", value: .string(String(repeating: "x", count: 500)), variant: "v", reason: .static)
        let lines = FlagTable(width: width, usesColor: false).lines([long])
        for line in lines { #expect(line.count <= width) }
        #expect(lines[1].contains("…"))
        #expect(lines[1].hasPrefix("banner  \"xx"))
    }

    @Test func marksChangedRows() {
        let plain = FlagTable(width: 100, usesColor: false).lines(flags, changed: ["theme"])
        #expect(plain[2].hasPrefix("* theme"))
        let colored = FlagTable(width: 100, usesColor: true).lines(flags, changed: ["theme"])
        #expect(colored[2].hasPrefix("\u{1B}[1;32mtheme"))
        #expect(!colored[1].contains("\u{1B}"))
    }

    @Test func letsNoTextReachTheTerminalsControls() {
        let hostile = FlagResolution(
            key: "a\u{1B}[2J", value: "\u{9B}31m\u{7F}", variant: "v\r\n",
            reason: FlagReason(rawValue: "\u{1B}c"))
        for line in FlagTable(width: 100, usesColor: false).lines([hostile]) {
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
        }
    }
}
