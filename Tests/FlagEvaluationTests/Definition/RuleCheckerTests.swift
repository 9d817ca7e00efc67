import FlagModel
import Testing

@testable import FlagEvaluation

@Suite struct RuleCheckerTests {
    @Test(arguments: [
        ("{\"if\":[{\"nosuch\":1},\"on\"]}", "$.flags.f.targeting.if[0].nosuch"),
        ("{\"if\":[{\"starts_with\":[\"a\"]},\"on\"]}", "$.flags.f.targeting.if[0].starts_with"),
        ("{\"if\":[{\"sem_ver\":[\"1\",\"=\"]},\"on\"]}", "$.flags.f.targeting.if[0].sem_ver"),
        ("{\"if\":[{\"sem_ver\":[\"1\",\"==\",\"2\"]},\"on\"]}", "$.flags.f.targeting.if[0].sem_ver[1]"),
        ("{\"if\":[{\"var\":\"$flagd.time\"},\"on\"]}", "$.flags.f.targeting.if[0].var"),
        ("{\"fractional\":[[\"on\",-1]]}", "$.flags.f.targeting.fractional[0][1]"),
        ("{\"fractional\":[[\"on\",1.5]]}", "$.flags.f.targeting.fractional[0][1]"),
        ("{\"fractional\":[[\"on\",1,2]]}", "$.flags.f.targeting.fractional[0]"),
        ("{\"fractional\":[{\"var\":\"x\"}]}", "$.flags.f.targeting.fractional"),
        ("{\"fractional\":[{\"var\":\"x\"},\"on\"]}", "$.flags.f.targeting.fractional[1]"),
        ("{\"fractional\":[[\"on\",2147483647],[\"off\",1]]}", "$.flags.f.targeting.fractional"),
        ("{\"fractional\":[[\"unknown\",1]]}", "$.flags.f.targeting.fractional[0][0]"),
        ("{\"if\":[true,\"on\",false,\"of\",\"off\"]}", "$.flags.f.targeting.if[3]"),
        ("{\"if\":[{\"var\":\"x\"},true]}", "$.flags.f.targeting.if[1]"),
    ])
    func namesThePlace(rule: String, path: String) throws {
        let ruleset = try Ruleset.targeting(FlagValue(json: rule))
        #expect(ruleset.paths == [path])
        #expect(ruleset.problems.first?.severity == .error)
        #expect(ruleset.problems.first?.disablesFlag == false)
    }

    @Test(arguments: [
        "{\"if\":[{\"==\":[{\"var\":\"x\"},1]},\"on\",\"off\"]}",
        "{\"fractional\":[{\"var\":\"x\"},[\"on\",50],[\"off\",{\"var\":\"n\"}]]}",
        "{\"if\":[{\"fractional\":[[true,10],[false,90]]},\"on\",null]}",
        "{\"if\":[{\"sem_ver\":[{\"var\":\"v\"},\">=\",\"1.0.0\"]},\"on\"]}",
        "{\"if\":[{\"in\":[{\"var\":\"$flagd.flagKey\"},[\"a\"]]},\"on\"]}",
    ])
    func acceptsSoundRules(rule: String) throws {
        #expect(try Ruleset.targeting(FlagValue(json: rule)).problems.isEmpty)
    }

    @Test(arguments: [
        "{\"?:\":[true,\"on\",\"off\"]}", "{\"log\":[\"on\"]}", "{\"if\":[{\"a\":1,\"b\":2},\"on\"]}",
    ])
    func warnsOfWhatOnlyWorksHere(rule: String) throws {
        let problems = try Ruleset.targeting(FlagValue(json: rule)).problems
        #expect(problems.map(\.severity) == [.warning])
    }

    @Test func checksEvaluatorsOnce() throws {
        let ruleset = try Ruleset(
            json: """
                {"$evaluators": {"a": {"nosuch": []}, "b": {"$ref": "a"}},
                 "flags": {"f": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"if": [{"$ref": "a"},
                   {"if": [{"$ref": "b"}, "on"]}]}}}}
                """)
        #expect(ruleset.paths == ["$.$evaluators.a.nosuch", "$.$evaluators.b.$ref"])
    }
}
