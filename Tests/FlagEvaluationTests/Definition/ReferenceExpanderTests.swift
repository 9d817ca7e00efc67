import FlagModel
import Testing

@testable import FlagEvaluation

@Suite struct ReferenceExpanderTests {
    private let expander = ReferenceExpander(
        evaluators: ["isGold": ["==": [["var": "tier"], "gold"]], "nested": ["!": [["$ref": "isGold"]]]],
        limits: EvaluationLimits())

    @Test func replacesReferencesAnywhere() throws {
        let rule: FlagValue = ["if": [["and": [["$ref": "isGold"], true]], "on", ["$ref": "isGold"]]]
        #expect(
            try expander.expand(rule) == [
                "if": [
                    ["and": [["==": [["var": "tier"], "gold"]], true]], "on",
                    ["==": [["var": "tier"], "gold"]],
                ]
            ])
    }

    @Test func leavesReferencesWithinEvaluatorsAndToNothing() throws {
        #expect(try expander.expand(["$ref": "nested"]) == ["!": [["$ref": "isGold"]]])
        #expect(try expander.expand(["$ref": "unknown"]) == ["$ref": "unknown"])
        #expect(try expander.expand(["$ref": ["isGold"]]) == ["$ref": ["isGold"]])
        #expect(try expander.expand(["$ref": "isGold", "x": 1]) == ["$ref": "isGold", "x": 1])
    }

    @Test func boundsWhatReferencesGrowTo() {
        let large = FlagValue.array(Array(repeating: 1, count: 40_000))
        let expander = ReferenceExpander(evaluators: ["large": large], limits: EvaluationLimits())
        #expect(throws: ReferenceExpander.Fault.tooLarge) {
            try expander.expand([["$ref": "large"], ["$ref": "large"]])
        }
    }

    @Test func survivesTextThatWouldBreakReplacingInText() throws {
        let ruleset = try Ruleset(
            json: """
                {"$evaluators": {"a\\"b": {"in": ["\\u00fc\\\\1\\n", {"var": "name"}]}},
                 "flags": {"f": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
                                 "targeting": {"if": [{"$ref": "a\\"b"}, "on"]}}}}
                """)
        #expect(ruleset.problems.isEmpty)
        #expect(ruleset.resolution(of: "f", ["name": "x ü\\1\n y"]).value == true)
        #expect(ruleset.resolution(of: "f", ["name": "x"]).value == false)
    }

    @Test func resolvesAReferenceToNothingToAParseError() throws {
        let ruleset = try Ruleset.targeting(["if": [["$ref": "nope"], "on"]])
        #expect(ruleset.paths == ["$.flags.f.targeting.if[0].$ref"])
        #expect(ruleset.resolution(of: "f").errorCode == .parseError)
    }
}
