import Testing

@testable import FlagService

@Suite struct BatchLedgerTests {
    @Test func entersEachBatchOnce() {
        var ledger = BatchLedger()
        #expect(ledger.enter("a", of: "") == true)
        #expect(ledger.enter("a", of: "") == false)
        #expect(ledger.enter("b", of: "") == true)
    }

    @Test func keepsTheBatchesOfOneKeyApartFromThoseOfAnother() {
        var ledger = BatchLedger()
        #expect(ledger.enter("a", of: "one") == true)
        #expect(ledger.enter("a", of: "two") == true)
        #expect(ledger.enter("a", of: "two") == false)
    }

    @Test func remembersTheLatestAndIsBounded() {
        var ledger = BatchLedger(capacity: 100)
        for number in 0..<10_000 {
            #expect(ledger.enter("\(number)", of: "") == true)
            #expect(ledger.count <= 200)
        }
        for number in 9_900..<10_000 { #expect(ledger.enter("\(number)", of: "") == false) }
        #expect(ledger.enter("0", of: "") == true)
    }

    @Test func oneThatIsMetAgainIsRememberedForLonger() {
        var ledger = BatchLedger(capacity: 10)
        #expect(ledger.enter("kept", of: "") == true)
        for number in 0..<1_000 {
            #expect(ledger.enter("\(number)", of: "") == true)
            if number % 8 == 0 { #expect(ledger.enter("kept", of: "") == false) }
        }
    }
}
