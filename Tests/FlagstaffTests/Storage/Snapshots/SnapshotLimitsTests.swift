import Testing

@testable import Flagstaff

@Suite struct SnapshotLimitsTests {
    private func verdict(
        _ entries: [(String, size: Int, modified: Double)], sparing: String = "new", contexts: Int = 3,
        bytes: Int = 100, now: Double = 1000
    ) -> SnapshotLimits.Verdict {
        SnapshotLimits(contexts: contexts, bytes: bytes, age: 100).verdict(
            on: entries.map { FlagStorageEntry(name: $0.0, size: $0.size, modified: $0.modified) },
            sparing: sparing, now: now)
    }

    @Test func keepsWhatFits() {
        #expect(verdict([("new", 40, 1000), ("a", 30, 999), ("b", 30, 998)]) == SnapshotLimits.Verdict())
        #expect(verdict([]) == SnapshotLimits.Verdict())
    }

    @Test func leastRecentlyUsedGoesFirst() {
        #expect(verdict([("a", 1, 997), ("b", 1, 996), ("c", 1, 998), ("new", 1, 1000)]).removed == ["b"])
        #expect(verdict([("a", 1, 997), ("b", 1, 997), ("c", 1, 997), ("new", 1, 997)]).removed == ["c"])
    }

    @Test func bytesAreLimitedInAll() {
        #expect(verdict([("new", 50, 1000), ("a", 60, 999), ("b", 40, 998)]).removed == ["a"])
        #expect(verdict([("new", 100, 1000), ("a", 1, 999)]).removed == ["a"])
    }

    @Test func whatWasNotUsedForLongGoes() {
        #expect(verdict([("new", 1, 1000), ("a", 1, 901), ("b", 1, 899)]).removed == ["b"])
    }

    @Test func fileThatWasJustWrittenStaysWhateverTheClockSays() {
        let entries = [("new", size: 200, modified: 0.0), ("a", 1, 999), ("b", 1, 998), ("c", 1, 997)]
        #expect(verdict(entries).removed == ["a", "b", "c"])
        #expect(verdict([("new", 1, 0), ("a", 1, 999), ("b", 1, 998), ("c", 1, 997)]).removed == ["c"])
    }

    @Test func timesOfTheFutureAreSetRight() {
        let future = 1000 + SnapshotLimits.clockTolerance + 1
        let verdict = verdict([("new", 1, 1000), ("a", 1, future), ("b", 1, future - 2)])
        #expect(verdict.removed == [])
        #expect(verdict.renewed == ["a"])
    }
}
