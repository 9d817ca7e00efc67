import FlagModel
import Testing

@testable import FlagEvaluation

/// Cases with known answers, on which the evaluators of flagd agree.
@Suite struct EvaluationCasesTests {
    @Test(arguments: ["evaluation.jsonl", "fractional-v3.jsonl"])
    func resolvesAsFlagdDoes(file: String) throws {
        let cases = try EvaluationCase.all(in: file)
        #expect(cases.count >= 200)
        for testCase in cases {
            let ruleset = try Ruleset(definition: testCase.definition)
            let resolution = ruleset.resolution(of: testCase.key, for: testCase.context)
            #expect(resolution.members(like: testCase.result) == testCase.result, "\(testCase.name)")
        }
    }

    @Test func encodesWhatItResolves() throws {
        for testCase in try EvaluationCase.all(in: "evaluation.jsonl") {
            let ruleset = try Ruleset(definition: testCase.definition)
            guard let flag = ruleset.flag(testCase.key) else { continue }
            let outcome = flag.evaluate(testCase.context)
            let resolution = flag.resolution(for: outcome)
            let object = try #require(JSONParser.parse(flag.encoded(outcome)).objectValue)
            #expect(object["key"] == .string(testCase.key), "\(testCase.name)")
            #expect(object["metadata"] == .object(resolution.metadata), "\(testCase.name)")
            #expect(object["value"] == resolution.value, "\(testCase.name)")
            #expect(object["variant"]?.stringValue == resolution.variant, "\(testCase.name)")
            #expect(object["errorCode"]?.stringValue == resolution.errorCode?.rawValue, "\(testCase.name)")
            let reason = resolution.errorCode == nil ? resolution.reason.rawValue : nil
            #expect(object["reason"]?.stringValue == reason, "\(testCase.name)")
        }
    }

    @Test func givesTheSameFromParsedBytes() throws {
        for testCase in try EvaluationCase.all(in: "evaluation.jsonl") {
            let bytes = JSONWriter.bytes(of: testCase.definition)
            let ruleset = try Ruleset(parsing: bytes)
            let resolution = ruleset.resolution(of: testCase.key, for: testCase.context)
            #expect(resolution.members(like: testCase.result) == testCase.result, "\(testCase.name)")
        }
    }
}
