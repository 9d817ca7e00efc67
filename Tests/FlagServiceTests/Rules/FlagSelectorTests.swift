import FlagModel
import Testing

@testable import FlagService

@Suite struct FlagSelectorTests {
    private static let definition: FlagValue = [
        "flags": [
            "plain": Sample.constant(["on": true], default: "on"),
            "both": Sample.constant(["on": true], default: "on"),
        ]
    ]

    @Test(arguments: [
        (nil, FlagSelector.Choice.all), ("", .all), ("flagSetId=", .flagSet(nil)),
        ("flagSetId=shop", .flagSet("shop")),
        ("flagSetId=a=b", .flagSet("a=b")), ("source=flags.json", .all), ("flags.json", .all),
        ("source=other", .nothing), ("other", .nothing),
    ])
    func readsTheHeader(header: String?, choice: FlagSelector.Choice) throws {
        #expect(try FlagSelector(header: header, sourceName: "flags.json").choice == choice)
    }

    @Test func refusesOtherWords() {
        #expect(throws: FlagSelector.Refusal.self) {
            try FlagSelector(header: "team=shop", sourceName: "flags.json")
        }
    }
}
