import FlagModel
import Testing

@testable import FlagEvaluation

@Suite struct CompiledFlagTests {
    private static let base = """
        {"$evaluators": {"gold": {"==": [{"var": "tier"}, "gold"]}, "other": {"!": [1]}}, "metadata": {"m": 1},
         "flags": {"f": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
                         "targeting": {"if": [{"$ref": "gold"}, "on"]}, "description": "text"}}}
        """

    private func fingerprint(_ text: String, _ options: EvaluationOptions = .init()) throws -> Fingerprint {
        try #require(try Ruleset(json: text, options: options).flag("f")).fingerprint
    }

    @Test(arguments: [
        ("\"text\"", "\"other text\""), ("{\"!\": [1]}", "{\"!\": [2]}"),
        ("\"on\": true, \"off\": false", "\"off\": false, \"on\": true"),
        ("\"flags\": {", "\"flags\": {\"g\": {\"state\": \"ENABLED\", \"variants\": {\"x\": 1}},"),
        ("{\"$ref\": \"gold\"}", "{\"==\": [{\"var\": \"tier\"}, \"gold\"]}"),
    ])
    func keepsItsFingerprintWhenNothingOfItChanges(part: String, replacement: String) throws {
        let changed = Self.base.replacingFirst(part, with: replacement)
        #expect(changed != Self.base)
        #expect(try fingerprint(changed) == fingerprint(Self.base))
    }

    @Test(arguments: [
        ("[{\"var\": \"tier\"}, \"gold\"]", "[{\"var\": \"tier\"}, \"silver\"]"), ("\"m\": 1", "\"m\": 2"),
        ("\"on\": true", "\"on\": false"), ("\"ENABLED\"", "\"DISABLED\""), ("\"off\",", "\"on\","),
        ("\"on\"]}", "\"off\"]}"),
    ])
    func changesItsFingerprintWithItsResolutions(part: String, replacement: String) throws {
        let changed = Self.base.replacingFirst(part, with: replacement)
        #expect(changed != Self.base)
        #expect(try fingerprint(changed) != fingerprint(Self.base))
    }

    @Test func changesItsFingerprintWithTheScheme() throws {
        #expect(try fingerprint(Self.base, .init(fractional: .v2)) != fingerprint(Self.base))
    }

    @Test(arguments: [
        ("{\"var\":\"$flagd.timestamp\"}", true), ("{\"var\":\"\"}", true), ("{\"var\":\"$flagd\"}", true),
        ("{\"var\":{\"var\":\"path\"}}", true), ("{\"var\":[\"$flagd.timestamp\",5]}", true),
        ("{\"some\":[{\"var\":\"tags\"},{\"==\":[{\"var\":\"\"},1]}]}", false),
        ("{\"var\":\"$flagd.flagKey\"}", false), ("{\"var\":\"timestamp\"}", false),
        ("{\"if\":[false,{\"var\":\"$flagd.timestamp\"},1]}", false),
        ("{\"map\":[[1],{\"var\":\"$flagd.timestamp\"}]}", false),
        ("{\"missing\":[\"$flagd.timestamp\"]}", false),
    ])
    func knowsWhetherTimeMatters(condition: String, expected: Bool) throws {
        let ruleset = try Ruleset.targeting(["if": [FlagValue(json: condition), "on"]])
        #expect(ruleset.flag("f")?.dependsOnTime == expected)
    }

    @Test func seesTheInjectedTime() throws {
        let ruleset = try Ruleset.targeting([
            "if": [[">=": [["var": "$flagd.timestamp"], 1_767_225_600]], "on"]
        ])
        #expect(ruleset.resolution(of: "f", now: 1_767_225_599).value == false)
        #expect(ruleset.resolution(of: "f", now: 1_767_225_600).value == true)
    }

    @Test func doesNotLetACallerSetFlagdProperties() throws {
        let ruleset = try Ruleset.targeting(["if": [["==": [["var": "$flagd.flagKey"], "f"]], "on"]])
        #expect(ruleset.resolution(of: "f", ["$flagd": ["flagKey": "g"]]).value == true)
        let path = try Ruleset.targeting([
            "if": [["==": [["var": ["cat": ["$flagd", ".flagKey"]]], "f"]], "on"]
        ])
        #expect(path.resolution(of: "f", ["$flagd": ["flagKey": "g"]]).value == true)
        let whole = try Ruleset.targeting([
            "if": [["missing": ["$flagd.timestamp", "$flagd.flagKey"]], "on"]
        ])
        #expect(whole.resolution(of: "f", ["$flagd": 5]).value == false)
    }

    @Test(arguments: [
        ("{\"if\":[true,\"nope\"]}", "\"nope\""), ("{\"if\":[true,\"\"]}", "\"\""),
        ("{\"merge\":[1]}", "list"),
        ("{\"if\":[true,{}]}", "object"), ("{\"+\":[1]}", "\"1\""), ("{\"/\":[1,0]}", "\"Infinity\""),
        ("{\"!\":[0]}", "\"true\""),
    ])
    func saysWhichResultIsNoVariant(rule: String, words: String) throws {
        let resolution = try Ruleset.targeting(FlagValue(json: rule)).resolution(of: "f")
        #expect(resolution.errorCode == .general)
        #expect(resolution.reason == .error)
        #expect(resolution.errorDetails?.contains(words) == true)
    }

    @Test func sharesTheBytesOfResultsWithoutAFault() throws {
        let flag = try #require(try Ruleset(json: Self.base).flag("f"))
        let outcome = flag.evaluate(EvaluationContext(attributes: ["tier": "gold"], now: 0))
        let bytes = flag.encoded(outcome)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "{\"key\":\"f\",\"value\":true,\"variant\":\"on\",\"reason\":\"TARGETING_MATCH\",\"metadata\":{\"m\":1}}"
        )
        let addresses = [bytes, flag.encoded(outcome)].map { $0.withUnsafeBufferPointer { $0.baseAddress } }
        #expect(addresses[0] == addresses[1])
        #expect(outcome == flag.evaluate(EvaluationContext(attributes: ["tier": "gold", "x": 1], now: 7)))
        #expect(outcome != flag.evaluate(EvaluationContext(attributes: [:], now: 0)))
    }

    @Test func encodesFaultsAndAbsentValues() throws {
        let ruleset = try Ruleset(
            json: """
                {"flags": {"f": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"nosuch": []}},
                           "g": {"state": "DISABLED", "variants": {"on": true}, "defaultVariant": "on"},
                           "h": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": null}}}
                """)
        let context = EvaluationContext(attributes: [:], now: 0)
        let texts = ruleset.flags.map { String(decoding: $0.encoded($0.evaluate(context)), as: UTF8.self) }
        #expect(
            texts == [
                "{\"key\":\"f\",\"errorCode\":\"PARSE_ERROR\",\"errorDetails\":\"the targeting rule uses the unknown "
                    + "operator \\\"nosuch\\\"\",\"metadata\":{}}",
                "{\"key\":\"g\",\"reason\":\"DISABLED\",\"metadata\":{}}",
                "{\"key\":\"h\",\"reason\":\"DEFAULT\",\"metadata\":{}}",
            ])
    }

    @Test func tellsVariantsApartByTheirBytes() throws {
        let ruleset = try Ruleset(
            json: """
                {"flags": {"f": {"state": "ENABLED", "variants": {"\u{e9}": 1, "b": 2}, "defaultVariant": "b",
                                 "targeting": {"var": "choice"}}}}
                """)
        #expect(ruleset.resolution(of: "f", ["choice": "\u{e9}"]).value == 1)
        #expect(ruleset.resolution(of: "f", ["choice": "e\u{301}"]).errorCode == .general)
    }

    @Test func findsItsVariantsAmongMany() throws {
        let names = (0..<200).map { "variant-\($0)" }
        let variants = Dictionary(uniqueKeysWithValues: names.map { ($0, FlagValue.string($0)) })
        let ruleset = try Ruleset(
            definition: [
                "flags": [
                    "f": ["state": "ENABLED", "variants": .object(variants), "targeting": ["var": "choice"]]
                ]
            ])
        for name in names {
            #expect(ruleset.resolution(of: "f", ["choice": .string(name)]).value == .string(name))
        }
    }
}

extension String {
    /// The text with the first occurrence of a part replaced.
    func replacingFirst(_ part: String, with replacement: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return replacingCharacters(in: range, with: replacement)
    }

    private func firstRange(of part: String) -> Range<String.Index>? {
        indices.lazy.compactMap { start in
            self[start...].hasPrefix(part) ? start..<self.index(start, offsetBy: part.count) : nil
        }.first
    }

    private func replacingCharacters(in range: Range<String.Index>, with replacement: String) -> String {
        String(self[..<range.lowerBound]) + replacement + String(self[range.upperBound...])
    }
}
