import FlagstaffTesting
import Testing

@Suite struct ExportsTests {
    @Test func oneImportNamesTheClientsTypes() {
        #expect(FlagValue.bool(true) == true)
        #expect(FlagUpdateOutcome.fresh.isFresh)
    }
}
