import FlagLocking
import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite struct ReadTableTests {
    private let table = ReadTable()

    private func snapshot(
        _ flags: [FlagResolution], user: String = "u", after: FlagSnapshot = .empty
    ) -> FlagSnapshot {
        after.replaced(
            by: BulkEvaluation(flags: flags), etag: nil, context: FlagContext(key: user),
            time: Date(timeIntervalSince1970: 0))
    }

    private func total(_ counts: [CountedRead]) -> UInt64 {
        counts.reduce(0) { $0 + $1.count }
    }

    private func flag(_ key: String, _ value: FlagValue?, _ variant: String? = nil) -> FlagResolution {
        FlagResolution(key: key, value: value, variant: variant, reason: .static)
    }

    @Test func givesWhatIsServedOrTheDefault() {
        table.store(
            snapshot([
                flag("b", true), flag("i", 7), flag("whole", 7.0), flag("d", 2.5), flag("short", "dark"),
                flag("long", "a text that does not fit into a string's own sixteen bytes"), flag("off", nil),
                FlagResolution(key: "broken", value: 1, reason: .error, errorCode: .parseError),
            ]))
        for _ in 0..<3 {
            #expect(table.bool("b", default: false))
            #expect(table.int("i", default: 0) == 7)
            #expect(table.int("whole", default: 0) == 7)
            #expect(table.double("i", default: 0) == 7)
            #expect(table.double("d", default: 0) == 2.5)
            #expect(table.int("d", default: -1) == -1)
            #expect(table.string("short", default: "") == "dark")
            #expect(table.string("long", default: "").hasSuffix("sixteen bytes"))
            #expect(table.string("b", default: "none") == "none")
            #expect(table.bool("i", default: true))
            #expect(table.int("off", default: 3) == 3)
            #expect(table.int("broken", default: 4) == 4)
            #expect(table.double("unknown", default: -0.0).sign == .minus)
            #expect(table.value("i", default: FlagValue.null) == 7)
            #expect(table.value("unknown", default: FlagValue.object([:])) == [:])
            #expect(table.value("i", default: Int64.max) == 7)
        }
    }

    @Test func activityIsReadAndCountedForFlagsOfAllTypes() {
        let on = flag("on", true)
        table.store(
            snapshot([
                on, flag("off", false), flag("text", "dark"), flag("none", nil),
                FlagResolution(key: "rest", value: true, reason: .default),
            ]))
        for _ in 0..<3 {
            #expect(table.isActive("on"))
            #expect(!table.isActive("off"))
            #expect(table.isActive("text"))
            #expect(!table.isActive("none"))
            #expect(!table.isActive("rest"))
            #expect(!table.isActive("unknown"))
        }
        let counts = table.drain()
        #expect(total(counts) == 18)
        #expect(counts.first { $0.key == "text" }?.isDefault == false)
        #expect(counts.first { $0.key == "none" }?.isDefault == true)
        #expect(counts.first { $0.key == "unknown" }?.errorCode == .flagNotFound)
        table.store(snapshot([flag("on", false)], after: table.load()))
        #expect(!table.isActive("on"))
        #expect(table.bool("on", default: true) == false)
    }

    @Test func allKindsOfReadsAreCountedOnWhatTheyWereGiven() {
        table.store(
            snapshot([
                FlagResolution(
                    key: "n", value: 2.5, variant: "half", reason: .split, metadata: ["version": 3])
            ]))
        for _ in 0..<2 { #expect(table.double("n", default: 0) == 2.5) }
        for _ in 0..<3 { #expect(table.int("n", default: 0) == 0) }
        for _ in 0..<4 { #expect(!table.bool("n", default: false)) }
        for _ in 0..<5 { #expect(table.string("n", default: "") == "") }
        for _ in 0..<6 { #expect(table.value("n", default: FlagValue.null) == 2.5) }
        for _ in 0..<7 { #expect(table.value("n", default: Theme.light) == .light) }
        for _ in 0..<8 { #expect(table.evaluation("n", default: 0).isDefault) }
        for _ in 0..<9 { #expect(table.evaluation("n", as: [String].self, default: []).isDefault) }
        for _ in 0..<10 { #expect(table.evaluation("n", default: 0.5).value == 2.5) }
        let context = FlagContext(key: "u")
        func mismatch(_ type: String, _ count: UInt64) -> CountedRead {
            CountedRead(
                key: "n", reason: .error, errorCode: .typeMismatch, isDefault: true, requestedType: type,
                version: "3", context: context, count: count)
        }
        #expect(
            Set(table.drain()) == [
                CountedRead(
                    key: "n", variant: "half", reason: .split, valueID: "5c3KnGCaTYhomotMcs0lya",
                    isDefault: false, version: "3", context: context, count: 2 + 6 + 10),
                mismatch("integer", 3 + 8), mismatch("boolean", 4), mismatch("string", 5),
                mismatch("custom", 7 + 9),
            ])
        #expect(table.drain().isEmpty)
    }

    @Test func defaultsSayWhy() {
        #expect(table.bool("a", default: true))
        table.store(
            snapshot([
                flag("off", nil, "x"),
                FlagResolution(key: "broken", variant: "y", reason: .error, errorCode: .parseError),
            ]))
        #expect(table.bool("a", default: true))
        #expect(table.bool("off", default: true))
        #expect(table.bool("broken", default: true))
        let (nobody, user) = (FlagContext(), FlagContext(key: "u"))
        #expect(
            Set(table.drain()) == [
                CountedRead(
                    key: "a", reason: .error, errorCode: .providerNotReady, isDefault: true, context: nobody,
                    count: 1),
                CountedRead(
                    key: "a", reason: .error, errorCode: .flagNotFound, isDefault: true, context: user,
                    count: 1),
                CountedRead(
                    key: "off", variant: "x", reason: .static, isDefault: true, context: user, count: 1),
                CountedRead(
                    key: "broken", variant: "y", reason: .error, errorCode: .parseError, isDefault: true,
                    context: user, count: 1),
            ])
    }

    @Test func readsBelongToTheContextInWhichTheyWereMade() {
        let first = snapshot([flag("a", 1)], user: "one")
        table.store(first)
        #expect(table.int("a", default: 0) == 1)
        table.store(snapshot([flag("a", 1)], user: "two", after: first))
        for _ in 0..<2 { #expect(table.int("a", default: 0) == 1) }
        table.store(first)
        for _ in 0..<4 { #expect(table.int("a", default: 0) == 1) }
        let counts = table.drain().sorted { $0.count < $1.count }
        #expect(counts.map(\.count) == [2, 5])
        #expect(counts.map(\.context.targetingKey) == ["two", "one"])
    }

    @Test func staleValuesAreCountedAsSuch() {
        let fresh = snapshot([flag("a", 1)])
        table.store(fresh)
        #expect(table.int("a", default: 0) == 1)
        table.store(fresh.markedStale())
        #expect(table.int("a", default: 0) == 1)
        #expect(Set(table.drain().map(\.reason)) == [.static, .stale])
        #expect(table.evaluation("a", default: 0).reason == .stale)
    }

    @Test func confirmationChangesNothing() {
        let first = snapshot([flag("a", 1)])
        table.store(first)
        let before = table.hold("a").served
        table.store(first.confirmed(etag: "e", time: Date(timeIntervalSince1970: 9)))
        #expect(table.hold("a").served === before)
        #expect(table.load().etag == "e")
    }

    @Test func removedAndReturningFlags() {
        let first = snapshot([flag("a", 1)])
        table.store(first)
        #expect(table.int("a", default: 0) == 1)
        table.store(snapshot([], after: first))
        #expect(table.int("a", default: 0) == 0)
        table.store(snapshot([flag("a", "text")], after: first))
        #expect(table.int("a", default: 0) == 0)
        #expect(table.string("a", default: "") == "text")
        table.store(first)
        #expect(table.int("a", default: 0) == 1)
        #expect(total(table.drain()) == 5)
    }

    @Test func keysAreComparedByteByByte() {
        table.store(snapshot([flag("caf\u{e9}", 1)]))
        #expect(table.int("caf\u{e9}", default: 0) == 1)
        #expect(table.int("cafe\u{301}", default: 0) == 0)
        #expect(table.load().value(for: "cafe\u{301}", default: 0) == 0)
        #expect(table.load().value(for: "caf\u{e9}", default: 0) == 1)
        let counts = table.drain()
        #expect(counts.count == 2)
        #expect(counts.allSatisfy { $0.count == 1 })
    }

    @Test func unknownNamesBeyondTheLimitAreCountedTogether() {
        let table = ReadTable(unknownNameLimit: 3)
        table.store(snapshot([flag("known", true)]))
        for _ in 0..<2 {
            for index in 0..<10 { #expect(!table.bool("name-\(index)", default: false)) }
        }
        #expect(table.evaluation("name-9", default: 1).key == "name-9")
        #expect(table.bool("known", default: false))
        let counts = Dictionary(grouping: table.drain(), by: \.key).mapValues {
            $0.reduce(0) { $0 + $1.count }
        }
        #expect(counts == ["name-0": 2, "name-1": 2, "name-2": 2, "*": 15, "known": 1])
        // One of them turns up at the service.
        table.store(snapshot([flag("name-7", true)]))
        #expect(table.bool("name-7", default: false))
        #expect(table.drain().map(\.key) == ["name-7"])
    }

    @Test func aFlagOfTheirNameIsNotServedToUnknownNames() {
        let table = ReadTable(unknownNameLimit: 0)
        #expect(!table.bool("name", default: false))
        table.store(snapshot([flag(ReadTable.otherNames, true)]))
        #expect(!table.bool("name", default: false))
        #expect(table.bool(ReadTable.otherNames, default: false))
    }

    @Test func countsBeyondWhatAWordHoldsAreKept() {
        table.store(snapshot([flag("a", true)]))
        #expect(table.bool("a", default: false))
        let (cell, stripe) = (
            "a".withKeyBytes { table.index.cell($0, hash: table.hash($0, .bool)) }, table.stripe
        )
        // As if there had been so many reads.
        let many: UInt64 = 1 << 25 - 2
        cell?.word(stripe).pointee += many
        for _ in 0..<5 { #expect(table.bool("a", default: false)) }
        #expect(CountWord(bits: cell?.word(stripe).pointee ?? 0).count < 10)
        #expect(table.drain().map(\.count) == [many + 6])
    }

    @Test func switchedOffNothingIsCounted() {
        table.store(snapshot([flag("a", true)]))
        #expect(table.bool("a", default: false))
        table.isCounting = false
        #expect(table.bool("a", default: false))
        table.store(snapshot([flag("a", false)]))
        #expect(!table.bool("a", default: true))
        #expect(table.drain().isEmpty)
        table.isCounting = true
        #expect(!table.bool("a", default: true))
        #expect(table.drain().map(\.count) == [1])
    }

    @Test func literalsAreReadLikeTheirText() {
        table.store(
            snapshot([flag("literal-flag", true), flag("x", 5), flag("text-flag", "dark"), flag("d", 0.5)]))
        for _ in 0..<3 {
            #expect(table.bool(literal: "literal-flag", default: false))
            #expect(table.int(literal: "literal-flag", default: 3) == 3)
            #expect(table.int(literal: "x", default: 0) == 5)
            #expect(table.string(literal: "text-flag", default: "") == "dark")
            #expect(table.double(literal: "d", default: 0) == 0.5)
        }
        #expect(table.bool("literal-flag", default: false))
        table.store(snapshot([flag("literal-flag", false)]))
        #expect(!table.bool(literal: "literal-flag", default: true))
        #expect(table.string(literal: "text-flag", default: "gone") == "gone")
        #expect(total(table.drain()) == 18)
    }

    @Test func formerValuesAreFreedWhenTheyAreReplaced() {
        weak var contents: FlagSnapshot.Contents?
        weak var served: ServedFlag?
        do {
            let first = snapshot([flag("a", "x")])
            contents = first.contents
            table.store(first)
            #expect(table.string("a", default: "") == "x")
            #expect(table.load().keys == ["a"])
            served = table.hold("a").served
            #expect(served != nil)
        }
        _ = table.drain()
        table.store(snapshot([flag("a", "y")]))
        _ = table.drain()
        #expect(contents == nil)
        #expect(served == nil)
        #expect(table.state.withLock { $0.retired.isEmpty })
    }

    @Test func whatAReaderHasPinnedOutlivesTheChange() throws {
        weak var served: ServedFlag?
        table.store(snapshot([flag("a", "x")]))
        #expect(table.string("a", default: "") == "x")
        _ = table.drain()
        let cell = try #require("a".withKeyBytes { table.index.cell($0, hash: table.hash($0, .string)) })
        // A reader that the system stops right after it pinned.
        guard case .object(let address, true, let pinned) = cell.pin(table.stripe, counting: CountWord.read)
        else {
            Issue.record("the cell is closed")
            return
        }
        do {
            let object: ServedFlag = ReadTable.object(address)
            served = object
        }
        table.store(snapshot([flag("a", "y")]))
        table.store(snapshot([flag("a", "z")]))
        #expect(table.drain().map(\.count) == [1])
        #expect(served?.text == "x")
        #expect(table.string("a", default: "") == "z")
        table.unpin(cell, table.stripe, since: pinned)
        #expect(served == nil)
        #expect(table.state.withLock { $0.retired.isEmpty })
    }

    private enum Theme: String, FlagConvertible {
        case light
    }
}
