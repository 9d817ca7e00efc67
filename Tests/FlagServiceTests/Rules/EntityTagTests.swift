import Testing

@testable import FlagService

@Suite struct EntityTagTests {
    @Test(arguments: [
        "\"abc\"", "W/\"abc\"", "\"x\", \"abc\"", "\"x\",W/\"abc\" ", " \"abc\"",
    ])
    func matchesTheTagInAnyOfItsForms(header: String) {
        #expect(EntityTag.matches(header, "\"abc\""))
    }

    @Test(arguments: [nil, "", "abc", "\"ab\"", "\"abcd\"", "*", "\"ABC\""])
    func matchesNothingElse(header: String?) {
        #expect(!EntityTag.matches(header, "\"abc\""))
    }
}
