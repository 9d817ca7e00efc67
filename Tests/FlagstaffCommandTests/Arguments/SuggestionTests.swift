import Testing

@testable import FlagstaffCommand

@Suite struct SuggestionTests {
    @Test func findsWhatIsClose() {
        #expect(Suggestion.closest(to: "contxt", among: ["context", "cases"]) == "context")
        #expect(Suggestion.closest(to: "new-chekout", among: ["old", "new-checkout"]) == "new-checkout")
        #expect(Suggestion.closest(to: "a", among: ["b"]) == "b")
    }

    @Test func findsNothingAmongWhatIsNot() {
        #expect(Suggestion.closest(to: "xyz", among: ["context", "cases"]) == nil)
        #expect(Suggestion.closest(to: "x", among: []) == nil)
    }
}
