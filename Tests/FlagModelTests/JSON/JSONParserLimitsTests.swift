import FlagModel
import Testing

@Suite struct JSONParserLimitsTests {
    private static let nestings: [(open: String, close: String)] = [
        ("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]"),
    ]

    @Test func acceptsExactlyTheAllowedDepth() throws {
        for (open, close, levels) in [("[", "]", 1), ("{\"a\":", "}", 1), ("[{\"a\":", "}]", 2)] {
            let count = 128 / levels
            let text = String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
            #expect(try JSONParser.parse(text) != .null)
            let error = #expect(throws: JSONError.self) { try JSONParser.parse("[\(text)]") }
            #expect(error?.message == "nested deeper than 128 levels")
        }
    }

    @Test func refusesAThousandLevelsAndFarMore() {
        for (open, close) in Self.nestings {
            for count in [1_000, 500_000] {
                let whole = String(repeating: open, count: count) + String(repeating: close, count: count)
                let cut = String(repeating: open, count: count)
                #expect(throws: JSONError.self) { try JSONParser.parse(whole) }
                #expect(throws: JSONError.self) { try JSONParser.parse(cut) }
            }
        }
    }

    @Test func depthCountsWhatIsOpenAndNotWhatWasSeen() throws {
        let siblings = "[" + String(repeating: "[[]],", count: 1_000) + "{}]"
        #expect(try JSONParser.parse(siblings, limits: .init(depth: 3)).arrayValue?.count == 1_001)
        #expect(throws: JSONError.self) { try JSONParser.parse(siblings, limits: .init(depth: 2)) }
        #expect(try JSONParser.parse("1", limits: .init(depth: 0)) == 1)
        #expect(throws: JSONError.self) { try JSONParser.parse("[]", limits: .init(depth: 0)) }
    }

    @Test func refusesTextsLargerThanTheLimit() throws {
        #expect(try JSONParser.parse("[1, 2]", limits: .init(bytes: 6)) == [1, 2])
        let error = #expect(throws: JSONError.self) {
            try JSONParser.parse("[1, 2]", limits: .init(bytes: 5))
        }
        #expect(error?.message == "the text has 6 bytes; at most 5 are accepted")
    }

    @Test(arguments: [
        #"{"a":1,"a":1}"#, #"{"a":null,"b":0,"a":null}"#, #"{"a":1,"\u0061":2}"#, #"[{"x":{"a":1,"a":2}}]"#,
        "{\"caf\u{E9}\":1,\"cafe\u{301}\":2}",
    ])
    func refusesDuplicateNamesWhenAsked(text: String) {
        #expect(throws: Never.self) { try JSONParser.parse(text) }
        #expect(throws: JSONError.self) {
            try JSONParser.parse(text, limits: .init(refusesDuplicateNames: true))
        }
    }

    @Test func pointsAtTheSecondOfTwoNames() {
        let error = #expect(throws: JSONError.self) {
            try JSONParser.parse("{\"a\": 1,\n \"a\": 2}", limits: .init(refusesDuplicateNames: true))
        }
        #expect(error?.line == 2)
        #expect(error?.column == 2)
        #expect(error?.message == "the name \"a\" stands twice in one object")
    }

    @Test func sameNamesInDifferentObjectsAreNoDuplicates() throws {
        let text = #"{"a":{"a":1},"b":[{"a":1},{"a":2}]}"#
        #expect(
            try JSONParser.parse(text, limits: .init(refusesDuplicateNames: true)) == FlagValue(json: text))
    }

    /// A text of some megabytes, made when it is needed, so that reports name it and do not repeat it.
    struct LongText: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let make: @Sendable () -> String

        init(_ description: String, _ make: @escaping @Sendable () -> String) {
            testDescription = description
            self.make = make
        }
    }

    /// Anything but linear time would take hours on these.
    @Test(
        .timeLimit(.minutes(2)),
        arguments: [
            LongText("plain characters") { "\"" + String(repeating: "x", count: 10_000_000) + "\"" },
            LongText("escapes") { "\"" + String(repeating: "\\n", count: 5_000_000) + "\"" },
            LongText("escaped surrogates") {
                "\"" + String(repeating: "\\ud83d\\udea9", count: 500_000) + "\""
            },
            LongText("digits") {
                "1" + String(repeating: "0", count: 100) + "." + String(repeating: "3", count: 1_000_000)
            },
            LongText("white space") { String(repeating: " ", count: 10_000_000) + "1" },
            LongText("elements") { "[" + String(repeating: "1,", count: 500_000) + "1]" },
            LongText("members") {
                "{" + (0..<200_000).map { "\"\($0)\":\($0)" }.joined(separator: ",") + "}"
            },
        ])
    func readsLongTextsInLinearTime(text: LongText) throws {
        let value = try JSONParser.parse(text.make())
        #expect(!value.isNull)
    }
}
