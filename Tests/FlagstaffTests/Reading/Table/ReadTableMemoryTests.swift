import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite struct ReadTableMemoryTests {
    private func snapshot(_ values: [String: FlagValue], after former: FlagSnapshot = .empty) -> FlagSnapshot
    {
        former.replaced(
            by: Answers.evaluation(values), etag: nil, context: FlagContext(key: "u"),
            time: Date(timeIntervalSince1970: 0))
    }

    @Test func countsOfAFlagThatKeepsChangingAreMergedWhereNobodyTakesThem() {
        let table = ReadTable()
        var current = FlagSnapshot.empty
        for number in 0..<20_000 {
            current = snapshot(["a": .int(Int64(number % 2))], after: current)
            table.store(current)
            #expect(table.int("a", default: -1) == number % 2)
        }
        #expect(table.drain().map(\.count) == [10_000, 10_000])
    }

    #if os(Linux)
        /// The memory that the process has in use, in bytes.
        private func resident() throws -> Int {
            let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            return (Int(text.split(separator: " ")[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
        }

        @Test func tableThatIsLetGoOfLeavesNothing() throws {
            func useOne() {
                let table = ReadTable()
                table.store(snapshot(["a": 1, "b": "a text of more than fifteen bytes", "c": ["x": 1]]))
                for number in 0..<100 { _ = table.int("unknown-\(number)", default: 0) }
                _ = table.string("b", default: "")
                _ = table.int(literal: "a", default: 0)
                _ = table.value("c", default: FlagValue.null)
                _ = table.load()
                table.store(snapshot(["a": 2]))
                _ = table.evaluation("a", default: 0).valueID
            }
            for _ in 0..<10 { useOne() }
            let before = try resident()
            for _ in 0..<400 { useOne() }
            // One table has more than 40 kB.
            #expect(try resident() - before < 4_000_000)
        }

        @Test func readsLeaveNothing() throws {
            let table = ReadTable()
            table.store(snapshot(["a": 1, "b": "a text of more than fifteen bytes"]))
            func readAll() {
                for _ in 0..<50_000 {
                    _ = table.int("a", default: 0)
                    _ = table.bool("a", default: false)
                    _ = table.string("b", default: "")
                    _ = table.double("unknown", default: 0)
                }
            }
            readAll()
            let before = try resident()
            readAll()
            #expect(try resident() - before < 1_000_000)
            #expect(table.drain().reduce(0) { $0 + $1.count } == 400_000)
        }
    #endif
}
