import FlagModel
import Testing

@testable import FlagEvaluation

@Suite struct EvaluationContextTests {
    @Test func canBeSharedBetweenThreads() async throws {
        let ruleset = try Ruleset.targeting(
            [
                "if": [
                    ["in": [["cat": [["var": "a.b"], "!"]], ["x!", "y!"]]], "on", ["fractional": [["off"]]],
                ]
            ])
        let context = EvaluationContext(attributes: ["a": ["b": "x"]], now: 0)
        let flag = try #require(ruleset.flag("f"))
        let expected = flag.evaluate(context)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<500).allSatisfy { _ in flag.evaluate(context) == expected } }
            }
            for await isSame in group { #expect(isSame) }
        }
        #expect(flag.resolution(for: expected).value == true)
    }

    @Test func takesATargetingKeyOfAnyType() throws {
        let ruleset = try Ruleset.targeting(["fractional": [["on"]]])
        for key: FlagValue in [nil, 5, true, ["a"], [:], ""] {
            #expect(ruleset.resolution(of: "f", ["targetingKey": key]).reason == .default)
        }
        #expect(ruleset.resolution(of: "f", ["targetingKey": "u"]).reason == .targetingMatch)
    }

    @Test func tellsNamesApartByTheirBytes() throws {
        let runner = RuleRunner(attributes: ["caf\u{e9}": 1])
        #expect(try runner.result(["var": "caf\u{e9}"]) == "1")
        #expect(try runner.result(["var": "cafe\u{301}"]) == "null")
    }
}
