import FlagModel
import Testing

@testable import FlagEvaluation

@Suite struct RuleCompilerTests {
    /// The operation that is left of a rule.
    private func operation(_ json: String) throws -> RuleOperation {
        let compiled = try RuleCompiler.compile(
            FlagValue(json: json), flagKey: "f", variants: ["on"], options: EvaluationOptions())
        return withExtendedLifetime(compiled.rule) { compiled.rule.root.node.pointee.operation }
    }

    @Test(arguments: [
        "{\"if\":[{\"==\":[1,1]},\"on\",{\"var\":\"x\"}]}", "{\"cat\":[\"a\",1,null]}",
        "{\"var\":\"$flagd.flagKey\"}",
        "{\"and\":[true,{\"!\":[false]},\"x\"]}", "{\"or\":[0,\"x\",{\"var\":\"y\"}]}", "{\"in\":[1,[1,2]]}",
        "{\"fractional\":[\"seed\",[\"on\",1]]}", "[1,2,[3]]", "{\"if\":[false,{\"nosuch\":1}]}",
        "{\"if\":[]}",
    ])
    func computesWhatDoesNotDependOnTheContext(json: String) throws {
        #expect(try operation(json) == .constant)
    }

    @Test(arguments: [
        ("{\"var\":\"x\"}", RuleOperation.attribute), ("{\"var\":\"x.y\"}", .contextPath),
        ("{\"var\":[\"x\",1]}", .contextPath), ("{\"var\":[\"x\",null]}", .attribute),
        ("{\"var\":\"$flagd.timestamp\"}", .timestamp), ("{\"if\":[true,{\"var\":\"x\"}]}", .attribute),
        ("{\"and\":[true,{\"var\":\"x\"}]}", .attribute), ("{\"merge\":[1]}", .merge),
        ("{\"fractional\":[[\"on\",1],[\"off\",2.0]]}", .fractionalTableByTargetingKey),
        ("{\"fractional\":[{\"var\":\"x\"},[\"on\"]]}", .fractionalTable),
        ("{\"fractional\":[{\"var\":\"x\"},[\"on\",1.5]]}", .fractional),
        ("{\"fractional\":[{\"var\":\"x\"},[\"on\",0]]}", .fractional),
        ("{\"==\":[{\"nosuch\":[]},1]}", .equal), ("{\"*\":[]}", .multiply),
    ])
    func keepsWhatDoes(json: String, expected: RuleOperation) throws {
        #expect(try operation(json) == expected)
    }

    @Test func knowsAllOperatorsOfTheSchema() {
        let names = """
            var missing missing_some if == === != !== > >= < <= % / * + - ! !! or and max min merge cat substr in map \
            filter all none some reduce starts_with ends_with sem_ver fractional ?: log
            """
        for name in names.split(separator: " ") {
            #expect(RuleOperation(name: String(name)) != nil, "\(name)")
        }
        for name in ["$ref", "abs", "method", "Var", ""] {
            #expect(RuleOperation(name: name) == nil, "\(name)")
        }
    }
}
