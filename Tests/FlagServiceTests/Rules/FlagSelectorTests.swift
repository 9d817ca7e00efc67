import FlagEvaluation
import FlagModel
import Testing

@testable import FlagService

@Suite struct FlagSelectorTests {
    private static func rules() throws -> Ruleset {
        let flag = { (key: String, set: String?, value: FlagValue) -> FlagValue in
            var flag = Sample.constant(["x": value], default: "x").objectValue ?? [:]
            flag["key"] = .string(key)
            if let set { flag["metadata"] = ["flagSetId": .string(set)] }
            return .object(flag)
        }
        return try Ruleset(definition: [
            "flags": [
                flag("plain", nil, 0), flag("both", nil, 0), flag("both", "shop", 1), flag("both", "beta", 2),
                flag("pay", "shop", 3), flag("new", "beta", 4), flag("old", "legacy", 5),
            ]
        ])
    }

    @Test(arguments: [
        (nil, FlagSelector.Choice.all), ("", .all), ("flagSetId=", .flagSet(nil)),
        ("flagSetId=shop", .flagSet("shop")),
        ("flagSetId=a=b", .flagSet("a=b")), ("source=flags.json", .all), ("flags.json", .all),
        ("source=other", .nothing), ("other", .nothing),
        // One name is taken as it is.
        ("flagSetId= shop ", .flagSet(" shop ")),
        ("flagSetId=shop,beta", .flagSets(["beta", "shop"])),
        ("flagSetId= shop ,\tbeta,shop", .flagSets(["beta", "shop"])),
        ("flagSetId=shop,", .flagSets([nil, "shop"])), ("flagSetId=shop,shop", .flagSet("shop")),
        ("flagSetId=,", .flagSet(nil)), ("a,b", .nothing),
    ])
    func readsTheHeader(header: String?, choice: FlagSelector.Choice) throws {
        #expect(try FlagSelector(header: header, sourceName: "flags.json").choice == choice)
    }

    @Test func refusesOtherWords() {
        #expect(throws: FlagSelector.Refusal.self) {
            try FlagSelector(header: "team=shop", sourceName: "flags.json")
        }
    }

    @Test(
        arguments: [
            ("flagSetId=shop,beta", ["both": 2, "new": 4, "pay": 3]),
            ("flagSetId=shop,", ["both": 0, "pay": 3, "plain": 0]),
            ("flagSetId=legacy,none", ["old": 5]), ("flagSetId=none,neither", [:]),
            ("flagSetId=shop", ["both": 1, "pay": 3]),
        ] as [(String, [String: FlagValue])])
    func selectsEachKeyOnce(header: String, expected: [String: FlagValue]) throws {
        let rules = try Self.rules()
        let selector = try FlagSelector(header: header, sourceName: "flags.json")
        let flags = selector.flags(of: rules)
        let nobody = EvaluationContext(attributes: [:], now: 0)
        let values = flags.map { ($0.key, $0.resolution(for: $0.evaluate(nobody)).value ?? .null) }
        #expect(values.count == expected.count)
        #expect(Dictionary(values, uniquingKeysWith: { first, _ in first }) == expected)
        for flag in rules.flags {
            #expect((selector.flag(flag.key, of: rules) != nil) == (expected[flag.key] != nil))
        }
        for flag in flags { #expect(selector.flag(flag.key, of: rules) === flag) }
    }

    @Test func orderOfTheNamesDoesNotCount() throws {
        let selectors = try ["flagSetId=a,b,c", "flagSetId=c, b ,a", "flagSetId=b,c,b,a"].map {
            try FlagSelector(header: $0, sourceName: "flags.json")
        }
        #expect(Set(selectors).count == 1)
    }
}
