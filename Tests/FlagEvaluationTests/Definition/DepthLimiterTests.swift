import FlagModel
import Testing

@testable import FlagEvaluation

@Suite struct DepthLimiterTests {
    @Test(arguments: [
        ("[1,[2,[3]]]", 3, "[1,[2,[3]]]"),
        ("[1,[2,[3]]]", 2, "[1,[2,0  ]]"),
        ("[1,[2,\n[3,\n[4]]]]", 2, "[1,[2,\n0  \n    ]]"),
        ("{\"a\":{\"b\":{}}}", 2, "{\"a\":{\"b\":0 }}"),
        ("[[\"]]]\\\"[[[\"],[[[\"[\\\\\"]]]]", 2, "[[\"]]]\\\"[[[\"],[0        ]]"),
        ("[[[", 1, "[0 "),
        ("]]]", 1, "]]]"),
    ])
    func cutsOffInPlace(text: String, depth: Int, expected: String) {
        #expect(String(decoding: DepthLimiter.limit(Array(text.utf8), to: depth), as: UTF8.self) == expected)
    }

    @Test(arguments: [1_000, 100_000])
    func costsAFlagHoweverDeepItIs(depth: Int) throws {
        for (opening, closing) in [("{\"!\":", "}"), ("{\"if\":[true,", "]}"), ("[", "]")] {
            let rule =
                String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
            let ruleset = try Ruleset(
                json: """
                    {"flags": {"deep": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"!": \(rule)}},
                               "good": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}}}
                    """)
            #expect(ruleset.resolution(of: "deep").errorCode == .parseError)
            #expect(ruleset.resolution(of: "good").value == true)
            #expect(ruleset.problems.map(\.path) == ["$.flags.deep.targeting"])
        }
    }

    @Test func keepsThePlaceOfALaterFault() {
        let deep = String(repeating: "[", count: 600) + "\n" + String(repeating: "]", count: 600)
        #expect {
            try Ruleset(json: "{\"flags\": {\"a\": \(deep),\n!}}")
        } throws: { error in
            "\(error)".contains("line 3, column 1")
        }
    }
}
