import FlagModel
import Testing

@Suite struct JSONWriterTests {
    private func text(_ value: FlagValue, _ options: JSONWriter.Options = .sortedKeys) -> String {
        String(decoding: JSONWriter.bytes(of: value, options: options), as: UTF8.self)
    }

    @Test(
        arguments: [
            (nil, "null"), (true, "true"), (false, "false"), (0, "0"), (9, "9"), (10, "10"), (-1, "-1"),
            (.int(.max), "9223372036854775807"), (.int(.min), "-9223372036854775808"),
            (1.0, "1.0"), (0.1, "0.1"), (-0.0, "-0.0"), (1e21, "1e+21"), (1e-7, "1e-07"),
            (.double(Double(bitPattern: 1)), "5e-324"),
            (100000.0, "100000.0"), (.double(.nan), "null"), (.double(.infinity), "null"),
            (.double(-.infinity), "null"), ([.double(.nan)], "[null]"),
            ("", "\"\""), ([], "[]"), ([:], "{}"), ([[], [:]], "[[],{}]"),
            (["a": ["b": 1]], "{\"a\":{\"b\":1}}"),
        ] as [(FlagValue, String)])
    func writes(value: FlagValue, json: String) {
        #expect(text(value) == json)
        #expect(text(value, []) == json)
    }

    @Test func escapesOnlyWhatJSONRequires() {
        let all = String(String.UnicodeScalarView((0...0x7F).compactMap { Unicode.Scalar(UInt8($0)) }))
        #expect(
            text(.string(all))
                == #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f"#
                + #"\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f"#
                + ##" !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"##
                + "\u{7F}\"")
        #expect(text("é€🚩\u{2028}") == "\"é€🚩\u{2028}\"")
        #expect(text(["a\"b": 1]) == #"{"a\"b":1}"#)
    }

    @Test func sortsNamesByTheirBytes() {
        let value: FlagValue = [
            "b": 1, "a": 2, "B": 3, "aa": 4, "": 5, "é": 6, "🚩": 7, "\u{FFFD}": 8, "10": 9, "9": 10,
        ]
        #expect(
            text(value)
                == "{\"\":5,\"10\":9,\"9\":10,\"B\":3,\"a\":2,\"aa\":4,\"b\":1,\"é\":6,\"\u{FFFD}\":8,\"🚩\":7}"
        )
    }

    @Test func equalValuesAreWrittenAsEqualBytesWhenSorted() {
        var first: [String: FlagValue] = [:]
        var second: [String: FlagValue] = [:]
        for index in 0..<1_000 { first["name-\(index)"] = .int(Int64(index)) }
        for index in (0..<1_000).reversed() { second["name-\(index)"] = .int(Int64(index)) }
        #expect(text(.object(first)) == text(.object(second)))
    }

    @Test func prettyPrintsOneMemberALine() {
        let value: FlagValue = ["a": [1, ["b": nil]], "c": [], "d": [:], "e": "x"]
        #expect(
            text(value, [.sortedKeys, .pretty]) == """
                {
                  "a": [
                    1,
                    {
                      "b": null
                    }
                  ],
                  "c": [],
                  "d": {},
                  "e": "x"
                }
                """)
    }

    @Test func writesPiecesOneAfterTheOther() {
        var writer = JSONWriter()
        writer.write(raw: "{\"flags\":[")
        writer.write(1 as Int64)
        writer.write(raw: [UInt8(ascii: ",")])
        writer.write(2.5 as Double)
        writer.write(raw: ",")
        writer.write("x" as String)
        writer.write(raw: "],\"metadata\":")
        writer.write([:] as [String: FlagValue])
        writer.write(raw: "}")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"flags":[1,2.5,"x"],"metadata":{}}"#)
    }
}
