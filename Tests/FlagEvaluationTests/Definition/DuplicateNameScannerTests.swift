import FlagModel
import Testing

@testable import FlagEvaluation

@Suite struct DuplicateNameScannerTests {
    @Test(
        arguments: [
            ("{\"a\":1,\"b\":2}", []),
            ("{\"a\":1,\"a\":2}", ["$.a"]),
            ("{\"a\":1,\"\\u0061\":2}", ["$.a"]),
            ("{\"a\":{\"x\":1,\"x\":[{\"y\":1},{\"y\":1,\"y\":2}]}}", ["$.a.x", "$.a.x[1].y"]),
            ("[{\"a\":1},{\"a\":1}]", []),
            ("{\"a\":\"a\",\"b\":\"a\",\"c\":[\"a\",\"a\"]}", []),
            ("{\"a\\\"\":1,\"a\\\"\":1}", ["$[\"a\\\"\"]"]),
            ("{\"é\":1,\"e\u{301}\":2}", ["$[\"e\u{301}\"]"]),
            ("{\"a\":1,\"a\":1,\"a\":1}", ["$.a", "$.a"]),
        ] as [(String, [String])])
    func findsEachRepeatedName(text: String, paths: [String]) {
        #expect(DuplicateNameScanner.problems(in: Array(text.utf8)).map(\.path) == paths)
    }

    @Test func reportsThemForDefinitions() throws {
        let flag = "{\"state\":\"ENABLED\",\"variants\":{\"on\":true,\"on\":true},\"defaultVariant\":\"on\"}"
        let ruleset = try Ruleset(json: "{\"flags\":{\"f\":\(flag)}}")
        #expect(ruleset.paths == ["$.flags.f.variants.on"])
        #expect(ruleset.resolution(of: "f").value == true)
    }

    @Test func copesWithTextThatIsCutOff() {
        let text = Array("{\"a\":{\"x\":\"1\\\"\",\"x\":[{\"y\\u00e9\":1}]}}".utf8)
        for end in text.indices { _ = DuplicateNameScanner.problems(in: Array(text[..<end])) }
        #expect(DuplicateNameScanner.problems(in: text).map(\.path) == ["$.a.x"])
    }
}
