import Testing

@testable import Flagstaff

@Suite struct BatchLedgerTests {
    private var ledger = BatchLedger(limits: BatchLedger.Limits(count: 3, bytes: 100, age: 10))

    private func entry(_ name: String, _ size: Int = 1, at time: Double = 0) -> BatchLedger.Entry {
        BatchLedger.Entry(name: name, size: size, time: time)
    }

    @Test mutating func oldestMakesRoom() {
        for name in ["a", "b", "c"] { #expect(ledger.add(entry(name)) == []) }
        #expect(ledger.add(entry("d")) == ["a"])
        #expect(ledger.add(entry("e", 99)) == ["b", "c"])
        #expect(ledger.entries.map(\.name) == ["d", "e"])
        let losses = ledger.takeLosses()
        #expect(losses.description == "3 for want of room")
        #expect(ledger.takeLosses().isEmpty)
    }

    @Test mutating func addingTheSameAgainMakesItTheNewest() {
        for name in ["a", "b", "a"] { #expect(ledger.add(entry(name)) == []) }
        #expect(ledger.entries.map(\.name) == ["b", "a"])
    }

    @Test mutating func whatIsTooOldGoes() {
        _ = ledger.add(entry("a", at: 0))
        _ = ledger.add(entry("b", at: 5))
        #expect(ledger.expire(at: 10) == [])
        #expect(ledger.expire(at: 11) == ["a"])
        ledger.removeDamaged("b")
        let losses = ledger.takeLosses()
        #expect(losses.description == "1 too old, 1 damaged on disk")
    }

    @Test mutating func takesOverWhatFits() {
        let found = [entry("a", at: -20), entry("b", 50), entry("c", 50), entry("d", 1), entry("e", 1)]
        #expect(ledger.adopt(found, at: 0) == ["a", "b"])
        #expect(ledger.entries.map(\.name) == ["c", "d", "e"])
        ledger.removeAll()
        #expect(ledger.entries.isEmpty)
    }

    @Test func saysWhatItCanHold() {
        #expect(ledger.canHold(100))
        #expect(!ledger.canHold(101))
        #expect(!BatchLedger(limits: BatchLedger.Limits(count: 0)).canHold(1))
    }
}
