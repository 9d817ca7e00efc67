import FlagModel
import Testing

@testable import FlagEvaluation

@Suite struct RulesetTests {
    private static let sets = """
        {"metadata": {"flagSetId": "main", "owner": "team"}, "flags": {
          "b": {"state": "ENABLED", "variants": {"x": 1}, "defaultVariant": "x"},
          "a": {"state": "ENABLED", "variants": {"x": 1}, "metadata": {"flagSetId": "", "owner": "me"}},
          "é": {"state": "DISABLED", "variants": {"x": 1}, "metadata": {"flagSetId": "alpha"}},
          "c": {"state": "ENABLED", "variants": {"x": 1}, "metadata": {"flagSetId": "alpha"}}
        }}
        """

    @Test func ordersFlagsBySetAndKey() throws {
        let ruleset = try Ruleset(json: Self.sets)
        #expect(ruleset.flags.map(\.key) == ["a", "c", "é", "b"])
        #expect(ruleset.flags.map(\.flagSetID) == [nil, "alpha", "alpha", "main"])
        #expect(ruleset.flags(inSet: "alpha").map(\.key) == ["c", "é"])
        #expect(ruleset.flags(inSet: nil).map(\.key) == ["a"])
        #expect(ruleset.flags(inSet: "nope").isEmpty)
    }

    @Test func findsFlagsByKeyAndSet() throws {
        let ruleset = try Ruleset(json: Self.sets)
        #expect(ruleset.flag("b")?.flagSetID == "main")
        #expect(ruleset.flag("b", inSet: "main") != nil)
        #expect(ruleset.flag("b", inSet: nil) == nil)
        #expect(ruleset.flag("a", inSet: nil) != nil)
        #expect(ruleset.flag("e\u{301}") == nil)
        #expect(ruleset.flag("") == nil)
    }

    @Test func overlaysTheSetsMetadata() throws {
        let ruleset = try Ruleset(json: Self.sets)
        #expect(ruleset.metadata == ["flagSetId": "main", "owner": "team"])
        #expect(ruleset.flag("a")?.metadata == ["flagSetId": "", "owner": "me"])
        #expect(ruleset.flag("b")?.metadata == ["flagSetId": "main", "owner": "team"])
        #expect(ruleset.resolution(of: "é").metadata == ["flagSetId": "alpha", "owner": "team"])
        #expect(ruleset.resolution(of: "nope").metadata == ruleset.metadata)
    }

    @Test func hasAFingerprintOfItsContent() throws {
        let one = try Ruleset(
            json: "{\"flags\":{\"a\":{\"state\":\"ENABLED\",\"variants\":{\"x\":1}}},\"x\":1}")
        let other = try Ruleset(
            json: "{\"x\":1, \"flags\":{\"a\":{\"variants\":{\"x\":1},\"state\":\"ENABLED\"}}}")
        let changed = try Ruleset(
            json: "{\"x\":2, \"flags\":{\"a\":{\"variants\":{\"x\":1},\"state\":\"ENABLED\"}}}")
        #expect(one.fingerprint == other.fingerprint)
        #expect(one.fingerprint != changed.fingerprint)
    }

    @Test func knowsWhetherTimeMatters() throws {
        #expect(try !Ruleset(json: Self.sets).hasTimeDependentFlags)
        #expect(
            try Ruleset.targeting(["if": [[">": [["var": "$flagd.timestamp"], 5]], "on"]])
                .hasTimeDependentFlags)
    }
}
