import FlagModel
import Testing

@testable import FlagEvaluation

/// Rules and contexts that would take a careless evaluator down.
@Suite struct HostileRulesTests {
    /// A rule that nests an operation in itself.
    private func nested(_ count: Int, _ start: FlagValue, _ wrap: (FlagValue) -> FlagValue) -> FlagValue {
        (0..<count).reduce(start) { rule, _ in wrap(rule) }
    }

    @Test func boundsTextThatDoubles() throws {
        // 2^60 bytes in 60 steps.
        let list = FlagValue.array(Array(repeating: 1, count: 60))
        let rule: FlagValue = [
            "reduce": [list, ["cat": [["var": "accumulator"], ["var": "accumulator"]]], "xx"]
        ]
        #expect(try RuleRunner().fault(rule) == .tooManyBytes)
        #expect(try Ruleset.targeting(rule).resolution(of: "f").errorCode == .parseError)
    }

    @Test func boundsListsThatDouble() throws {
        let list = FlagValue.array(Array(repeating: 1, count: 60))
        let rule: FlagValue = [
            "reduce": [list, ["merge": [["var": "accumulator"], ["var": "accumulator"]]], [1, 2]]
        ]
        #expect(try RuleRunner().fault(rule) == .tooManyBytes)
    }

    @Test func boundsLoopsWithinLoops() throws {
        let rows = FlagValue.array(Array(repeating: .array(Array(repeating: 1, count: 1000)), count: 1000))
        let runner = RuleRunner(attributes: ["rows": rows])
        #expect(try runner.fault(["all": [["var": "rows"], ["all": [["var": ""], 1]]]]) == .tooManySteps)
        #expect(try runner.fault(["all": [["var": "rows"], ["some": [["var": ""], 1]]]]) == nil)
    }

    @Test func boundsReadingLongListsAgainAndAgain() throws {
        let list = FlagValue.array((0..<20_000).map { .int($0) })
        let runner = RuleRunner(attributes: ["list": list])
        // Each element looks through a list as long as the one it is from.
        let rule: FlagValue = ["filter": [["var": "list"], ["in": [["cat": [["var": ""]]], list]]]]
        #expect(try runner.fault(rule) == .tooManySteps)
    }

    @Test func searchesLongTextsInLinearTime() throws {
        let haystack = String(repeating: "a", count: 400_000)
        let needle = String(repeating: "a", count: 200_000) + "b"
        let runner = RuleRunner(attributes: ["haystack": .string(haystack), "needle": .string(needle)])
        #expect(try runner.result(["in": [["var": "needle"], ["var": "haystack"]]]) == "false")
        #expect(
            try runner.result(["in": [.string(haystack + "b"), ["cat": [["var": "haystack"], "b"]]]])
                == "true")
    }

    @Test func boundsHowDeepProducedListsAreWrittenOut() throws {
        let list = FlagValue.array(Array(repeating: 1, count: 5000))
        let deep: FlagValue = ["reduce": [list, [["var": "accumulator"]], 1]]
        #expect(try RuleRunner().fault(["cat": [deep]]) == .tooDeep)
        #expect(try RuleRunner().fault(["==": [deep, "1"]]) == .tooDeep)
        #expect(
            try RuleRunner().fault(["fractional": [["reduce": [list, ["var": ""], 1]], ["on"]]]) == .tooDeep)
    }

    @Test func evaluatesRulesAsDeepAsAllowed() throws {
        let rule = nested(190, ["var": "x"]) { ["if": [["var": "x"], $0]] }
        #expect(try RuleRunner(attributes: ["x": true]).result(rule) == "true")
        #expect(throws: RuleCompiler.Fault.tooDeep) {
            try RuleRunner().result(nested(210, 1) { ["!": [$0]] })
        }
    }

    @Test func boundsTheSizeOfRules() throws {
        let rule: FlagValue = ["or": .array(Array(repeating: ["var": "x"], count: 30_000))]
        let ruleset = try Ruleset.targeting(rule)
        #expect(ruleset.problems.map(\.disablesFlag) == [true])
        #expect(ruleset.resolution(of: "f").errorCode == .parseError)
    }

    @Test func takesContextsOfAnyDepth() throws {
        let deep = nested(400, 1) { ["a": $0] }
        let runner = RuleRunner(attributes: ["deep": deep, "x": 1])
        #expect(try runner.result(["var": "x"]) == "1")
        let path = Array(repeating: "a", count: 100).joined(separator: ".")
        #expect(try runner.result(["!!": [["var": .string("deep." + path)]]]) == "true")
        let tooLong = Array(repeating: "a", count: 300).joined(separator: ".")
        #expect(try runner.result(["!!": [["var": .string("deep." + tooLong)]]]) == "false")
        #expect(try runner.fault(["fractional": [["var": "deep"], ["on"]]]) == nil)
    }

    @Test func takesContextsOfManyAttributes() throws {
        var attributes: [String: FlagValue] = [:]
        for index in 0..<5000 { attributes["name-\(index)"] = .int(Int64(index)) }
        let runner = RuleRunner(attributes: attributes)
        for index in stride(from: 0, to: 5000, by: 97) {
            #expect(try runner.result(["var": .string("name-\(index)")]) == "\(index)")
        }
        #expect(try runner.result(["var": "name-5000"]) == "null")
    }

    @Test func stopsEndlessPathsAndNumbers() throws {
        let path = String(repeating: ".", count: 100_000)
        #expect(try RuleRunner().result(["var": .string(path)]) == "null")
        let digits = String(repeating: "9", count: 100_000)
        let runner = RuleRunner(attributes: ["digits": .string(digits), "path": .string(path)])
        #expect(try runner.result(["<": [["var": "digits"], 1]]) == "false")
        #expect(try runner.result(["var": [["var": "path"], 7]]) == "7")
        #expect(try runner.result(["sem_ver": [["var": "digits"], ">", "1.0.0"]]) == "true")
    }
}
