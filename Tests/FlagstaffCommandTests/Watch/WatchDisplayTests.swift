import FlagModel
import Testing

@testable import FlagstaffCommand

@Suite struct WatchDisplayTests {
    private static let table = FlagTable(width: 80, usesColor: false)

    private func flags(_ values: [String: FlagValue]) -> [String: FlagResolution] {
        values.reduce(into: [:]) { flags, entry in
            flags[entry.key] = FlagResolution(
                key: entry.key, value: entry.value, variant: "v", reason: .static)
        }
    }

    @Test func printsJSONForEachFlagAndEachChange() {
        var display = WatchDisplay(style: .json)
        #expect(
            display.update(flags(["b": 1, "a": true]), status: "") == """
                {"event":"value","key":"a","metadata":{},"reason":"STATIC","value":true,"variant":"v"}
                {"event":"value","key":"b","metadata":{},"reason":"STATIC","value":1,"variant":"v"}

                """)
        #expect(display.update(flags(["b": 1, "a": true]), status: "") == "")
        #expect(
            display.update(flags(["a": false, "c": 2]), status: "") == """
                {"event":"change","key":"a","metadata":{},"reason":"STATIC","value":false,"variant":"v"}
                {"event":"change","key":"c","metadata":{},"reason":"STATIC","value":2,"variant":"v"}
                {"event":"removed","key":"b"}

                """)
        #expect(display.status("live") == "{\"event\":\"status\",\"status\":\"live\"}\n")
    }

    @Test func printsATableThenALineForEachChange() {
        var display = WatchDisplay(style: .lines(Self.table))
        #expect(display.update(flags(["a": true]), status: "").hasPrefix("FLAG"))
        #expect(
            display.update(flags(["a": 1.5, "b": "x"]), status: "")
                == "a: true -> 1.5 (v, STATIC)\nb: (none) -> \"x\" (v, STATIC)\n")
        #expect(display.update(flags(["b": "x"]), status: "") == "a: removed\n")
    }

    @Test func drawsOverWhatItDrewBefore() {
        var display = WatchDisplay(style: .screen(Self.table, heading: ["Title"]))
        let first = display.update(flags(["a": true]), status: "live")
        #expect(first == "Title\nFLAG  VALUE  VARIANT  REASON\na     true   v        STATIC\n\nlive\n")
        let second = display.update(flags(["a": false, "b": 1]), status: "live")
        #expect(second.hasPrefix("\u{1B}[5A\u{1B}[JTitle\n"))
        #expect(second.contains("* a     false"))
        #expect(display.update([:], status: "live").hasPrefix("\u{1B}[6A"))
    }
}
