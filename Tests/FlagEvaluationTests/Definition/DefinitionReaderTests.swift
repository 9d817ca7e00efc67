import FlagModel
import Testing

@testable import FlagEvaluation

@Suite struct DefinitionReaderTests {
    @Test(arguments: [
        ("", "line 1, column 1"), ("{", "line 1, column 2"), ("nope", "line 1, column 1"),
        ("{\"flags\":{}}x", "line 1, column 13"), ("{\n  \"flags\": {,}\n}", "line 2, column 13"),
    ])
    func refusesWhatIsNotJSON(text: String, place: String) {
        #expect {
            try Ruleset(json: text)
        } throws: { error in
            guard case DefinitionError.notJSON? = error as? DefinitionError else { return false }
            return "\(error)".contains(place)
        }
    }

    @Test(arguments: [
        ("[]", "$"), ("12", "$"), ("null", "$"), ("{}", "$.flags"), ("{\"flags\":null}", "$.flags"),
        ("{\"flags\":\"x\"}", "$.flags"),
    ])
    func refusesWhatHasNoUsableFlags(text: String, path: String) {
        #expect {
            try Ruleset(json: text)
        } throws: { error in
            guard case .notADefinition(let problem)? = error as? DefinitionError else { return false }
            return problem.path == path
        }
    }

    @Test func acceptsNoFlagsAtAll() throws {
        #expect(try Ruleset(json: "{\"flags\":{}}").flags.isEmpty)
        #expect(try Ruleset(json: "{\"flags\":[]}").flags.isEmpty)
    }

    @Test(arguments: [
        ("12", "$.flags.bad"),
        ("{\"variants\":{\"a\":1}}", "$.flags.bad.state"),
        ("{\"state\":\"on\",\"variants\":{\"a\":1}}", "$.flags.bad.state"),
        ("{\"state\":\"ENABLED\"}", "$.flags.bad.variants"),
        ("{\"state\":\"ENABLED\",\"variants\":{}}", "$.flags.bad.variants"),
        ("{\"state\":\"ENABLED\",\"variants\":[1]}", "$.flags.bad.variants"),
        ("{\"state\":\"ENABLED\",\"variants\":{\"a\":null}}", "$.flags.bad.variants.a"),
        ("{\"state\":\"ENABLED\",\"variants\":{\"a\":[]}}", "$.flags.bad.variants.a"),
        ("{\"state\":\"ENABLED\",\"variants\":{\"a\":1,\"b c\":\"x\"}}", "$.flags.bad.variants[\"b c\"]"),
        ("{\"state\":\"ENABLED\",\"variants\":{\"a\":1},\"defaultVariant\":7}", "$.flags.bad.defaultVariant"),
        ("{\"state\":\"ENABLED\",\"variants\":{\"a\":1},\"targeting\":[]}", "$.flags.bad.targeting"),
        ("{\"state\":\"ENABLED\",\"variants\":{\"a\":1},\"targeting\":\"a\"}", "$.flags.bad.targeting"),
    ])
    func costsABadFlagOnly(flag: String, path: String) throws {
        let good = "{\"state\":\"ENABLED\",\"variants\":{\"on\":true},\"defaultVariant\":\"on\"}"
        let ruleset = try Ruleset(json: "{\"flags\":{\"bad\":\(flag),\"good\":\(good)}}")
        #expect(ruleset.paths == [path])
        #expect(ruleset.problems.first?.flagKey == "bad")
        #expect(ruleset.problems.first?.disablesFlag == true)
        #expect(ruleset.flag("bad")?.fault?.path == path)

        let bad = ruleset.resolution(of: "bad")
        #expect(bad.errorCode == .parseError)
        #expect(bad.errorDetails?.contains(path) == true)
        #expect(ruleset.resolution(of: "good").value == true)
    }

    @Test func reportsWhatDoesNotCostTheFlag() throws {
        let ruleset = try Ruleset(
            json: """
                {"metadata": {"flagSetId": 5, "list": [], "ok": 1}, "$evaluators": [], "flags": {
                  "a": {"state": "ENABLED", "variants": {"true": 1, "": 2}, "defaultVariant": true,
                        "metadata": {"n": null, "version": 3}},
                  "b": {"state": "ENABLED", "variants": {"x": 1}, "defaultVariant": "y", "metadata": "m",
                        "description": "kept", "source": {"any": ["thing"]}}
                }}
                """)
        #expect(
            ruleset.paths == [
                "$.metadata.flagSetId", "$.metadata.list", "$.$evaluators", "$.flags.a.metadata.n",
                "$.flags.a.metadata.version", "$.flags.a.variants[\"\"]", "$.flags.a.defaultVariant",
                "$.flags.b.metadata", "$.flags.b.defaultVariant",
            ])
        #expect(ruleset.problems.allSatisfy { !$0.disablesFlag })
        #expect(ruleset.resolution(of: "a").value == 1)
        #expect(ruleset.resolution(of: "a").metadata == ["flagSetId": 5, "ok": 1, "version": 3])
        #expect(ruleset.resolution(of: "b").errorCode == .general)
        #expect(ruleset.flag("b")?.definition["description"] == "kept")
        #expect(ruleset.flag("b")?.definition["source"] == ["any": ["thing"]])
    }

    @Test func takesWholeAndFractionalNumbersForOneType() throws {
        let ruleset = try Ruleset(
            json:
                "{\"flags\":{\"n\":{\"state\":\"ENABLED\",\"variants\":{\"a\":1,\"b\":0.5},\"defaultVariant\":\"b\"}}}"
        )
        #expect(ruleset.problems.isEmpty)
        #expect(ruleset.resolution(of: "n").value == 0.5)
    }

    @Test func readsFlagsFromAList() throws {
        let ruleset = try Ruleset(
            json: """
                {"flags": [
                  {"key": "a", "state": "ENABLED", "variants": {"x": 1}, "defaultVariant": "x"},
                  {"key": "b", "state": "ENABLED", "variants": {"x": 1}, "metadata": {"flagSetId": "s"}},
                  {"state": "ENABLED", "variants": {"x": 1}},
                  7,
                  {"key": "a", "state": "ENABLED", "variants": {"x": 2}, "defaultVariant": "x"},
                  {"key": "a", "state": "ENABLED", "variants": {"x": 3}, "metadata": {"flagSetId": "s"}}
                ]}
                """)
        #expect(ruleset.flags.map(\.key) == ["a", "a", "b"])
        #expect(ruleset.paths == ["$.flags[2].key", "$.flags[3]", "$.flags[0]"])
        #expect(ruleset.resolution(of: "a").value == 2)
        #expect(ruleset.flag("a", inSet: "s")?.definition["variants"]?["x"] == 3)
    }

    @Test func refusesRulesThatAreTooLargeTogether() throws {
        var options = EvaluationOptions()
        options.limits.totalRuleSize = 9
        let flag =
            "{\"state\":\"ENABLED\",\"variants\":{\"on\":true},\"targeting\":{\"!\":[{\"==\":[1,{\"var\":\"x\"}]}]}}"
        let ruleset = try Ruleset(json: "{\"flags\":{\"a\":\(flag),\"b\":\(flag)}}", options: options)
        #expect(ruleset.flag("a")?.fault == nil)
        #expect(ruleset.flag("b")?.fault?.message.contains("all rules together") == true)
    }
}
