import Testing

@testable import FlagEvaluation

@Suite struct JSONPathTests {
    @Test func quotesUnusualNamesOnly() {
        let path = JSONPath.root.member("flags").member("new-checkout").member("a b").element(3).member(
            "$ref")
        #expect(path.description == "$.flags.new-checkout[\"a b\"][3].$ref")
        #expect(JSONPath.root.member("").description == "$[\"\"]")
        #expect(JSONPath.root.member("é\"").description == "$[\"é\\\"\"]")
    }
}
