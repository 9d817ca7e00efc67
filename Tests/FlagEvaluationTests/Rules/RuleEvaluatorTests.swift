import FlagModel
import Testing

@testable import FlagEvaluation

/// What the cases with known answers leave open.
@Suite struct RuleEvaluatorTests {
    private let runner = RuleRunner(attributes: [
        "text": "a😀b", "list": [1, [2]], "object": ["x": 1], "nothing": nil, "key": "list",
        "targetingKey": "u1",
    ])

    private func result(_ json: String) throws -> String {
        try runner.result(FlagValue(json: json))
    }

    @Test func comparesListsAndObjectsByIdentity() throws {
        #expect(try result("{\"==\":[{\"var\":\"list\"},{\"var\":\"list\"}]}") == "true")
        #expect(try result("{\"===\":[{\"var\":\"object\"},{\"var\":\"object\"}]}") == "true")
        #expect(try result("{\"==\":[{\"var\":\"object\"},{\"x\":1,\"y\":2}]}") == "false")
        #expect(try result("{\"==\":[{\"merge\":[]},{\"merge\":[]}]}") == "false")
        #expect(try result("{\"==\":[{\"var\":\"\"},{\"var\":\"\"}]}") == "true")
        #expect(try result("{\"in\":[{\"var\":\"list.1\"},{\"var\":\"list\"}]}") == "true")
        #expect(try result("{\"in\":[[2],{\"var\":\"list\"}]}") == "false")
    }

    @Test func makesANewListEachTimeAnOperatorRuns() throws {
        // The same literal list, evaluated twice, gives two lists.
        let rule = "{\"reduce\":[[1,2],{\"merge\":[{\"var\":\"accumulator\"},[[7]]]},[]]}"
        #expect(try result("{\"in\":[{\"var\":\"list\"},\(rule)]}") == "false")
        let inMap = "{\"map\":[[1,2],[7]]}"
        #expect(try result(inMap) == "[[7],[7]]")
        #expect(
            try result("{\"reduce\":[\(inMap),{\"==\":[{\"var\":\"current\"},{\"var\":\"accumulator\"}]},0]}")
                == "false")
    }

    @Test func countsTextInUTF16Units() throws {
        #expect(try result("{\"var\":\"text.length\"}") == "4")
        #expect(try result("{\"var\":\"text.3\"}") == "\"b\"")
        #expect(try result("{\"substr\":[{\"var\":\"text\"},1,2]}") == "\"😀\"")
        #expect(try result("{\"substr\":[{\"var\":\"text\"},-1]}") == "\"b\"")
        #expect(try result("{\"substr\":[{\"var\":\"text\"},0,-1]}") == "\"a😀\"")
    }

    @Test func putsHalvesOfAPairTogether() throws {
        let halves = "{\"cat\":[{\"substr\":[{\"var\":\"text\"},0,2]},{\"substr\":[{\"var\":\"text\"},2]}]}"
        #expect(try result(halves) == "\"a😀b\"")
        #expect(try result("{\"==\":[\(halves),\"a😀b\"]}") == "true")
        let highAlone = "{\"cat\":[{\"var\":\"text.1\"},\"|\"]}"
        #expect(
            try result("{\"var\":[{\"cat\":[\"nope\"]},{\"cat\":[\(highAlone),{\"var\":\"text.2\"}]}]}")
                != "\"😀|\"")
        #expect(
            try result("{\"==\":[{\"cat\":[{\"var\":\"text.1\"},{\"var\":\"text.2\"}]},\"😀\"]}") == "true")
    }

    @Test func ordersTextByUTF16Units() throws {
        // U+FFEE is a smaller code point than 😀, but its unit is larger than the pair's first.
        #expect(try result("{\"<\":[\"😀\",\"\u{FFEE}\"]}") == "true")
        #expect(try result("{\"<\":[\"x😀\",\"x\u{FFEE}\"]}") == "true")
        #expect(try result("{\"<\":[\"\u{FFEE}\",\"😀\"]}") == "false")
        #expect(try result("{\"<\":[\"é\",\"z\"]}") == "false")
        #expect(try result("{\"<\":[\"ab\",\"abc\"]}") == "true")
        #expect(try result("{\"<=\":[\"abc\",\"abc\"]}") == "true")
    }

    @Test func readsPathsThatAreComputed() throws {
        #expect(try result("{\"var\":{\"var\":\"key\"}}") == "[1,[2]]")
        #expect(try result("{\"var\":{\"cat\":[{\"var\":\"key\"},\".1.0\"]}}") == "2")
        #expect(try result("{\"var\":[{\"cat\":[\"no\",\"where\"]},9]}") == "9")
        #expect(try result("{\"map\":[[{\"p\":\"q\",\"q\":5}],{\"var\":{\"var\":\"p\"}}]}") == "[5]")
    }

    @Test func seesOnlyTheElementWithinIterations() throws {
        #expect(try result("{\"map\":[[1],{\"var\":\"text\"}]}") == "[null]")
        #expect(try result("{\"map\":[[1],{\"var\":\"$flagd.flagKey\"}]}") == "[null]")
        #expect(try result("{\"map\":[[1],{\"missing\":[\"text\"]}]}") == "[[\"text\"]]")
        #expect(try result("{\"map\":[[1],{\"fractional\":[[\"on\"]]}]}") == "[null]")
        #expect(
            try result("{\"map\":[[{\"id\":7,\"x\":1}],{\"fractional\":[{\"var\":\"id\"},[\"on\"]]}]}")
                == "[\"on\"]")
    }

    @Test func evaluatesArgumentsThatAreNotUsed() throws {
        #expect(try result("{\"==\":[1,1,{\"nosuch\":[]}]}") == "ERR")
        #expect(try result("{\"var\":[\"text\",{\"nosuch\":[]}]}") == "ERR")
        #expect(try result("{\"!\":[1,{\"var\":\"text\"}]}") == "false")
    }

    @Test func readsNumbersAsTheLanguageOfTheReferenceDoes() throws {
        #expect(try result("{\"==\":[\"0x10\",16]}") == "true")
        #expect(try result("{\"==\":[\" \\n12\\u00a0\",12]}") == "true")
        #expect(try result("{\"-\":[\"0b101\",0]}") == "5")
        #expect(try result("{\"-\":[\"1_000\",0]}") == "NaN")
        #expect(try result("{\"-\":[\"inf\",0]}") == "NaN")
        #expect(try result("{\"+\":[\"Infinityx\",0]}") == "Infinity")
        #expect(try result("{\"+\":[\".5e1z\",0]}") == "5")
        #expect(try result("{\"/\":[1,{\"*\":[0,-1]}]}") == "-Infinity")
        #expect(try result("{\"/\":[1,{\"+\":[-0.0]}]}") == "Infinity")
        #expect(try result("{\"min\":[0,-0.0]}") == "0")
    }

    @Test func keepsWideIntegersApartOnlyInBuckets() throws {
        var runner = runner
        runner.attributes["id"] = 9_007_199_254_740_993
        #expect(try runner.result(["==": [["var": "id"], 9_007_199_254_740_992]]) == "true")
        #expect(try runner.result(["===": [["var": "id"], 9_007_199_254_740_993]]) == "true")
        #expect(try runner.result(["cat": [["var": "id"]]]) == "\"9007199254740992\"")
        #expect(try runner.result(["+": [["var": "id"], 1]]) == "9007199254740992")
    }

    @Test func letsNothingPassFromOneEvaluationToTheNext() throws {
        let ruleset = try Ruleset.targeting(["if": [["==": [["cat": [["var": "x"], "y"]], "xy"]], "on"]])
        for _ in 0..<100 {
            #expect(ruleset.resolution(of: "f", ["x": "x"]).value == true)
            #expect(ruleset.resolution(of: "f", ["x": "z"]).value == false)
        }
    }
}
