import FaultProxy
import FlagModel
import Foundation
import Testing

@testable import FlagService

/// The client's process is killed at any moment: what was stored is not lost and not counted twice, and the last
/// values are served.
@Suite(.timeLimit(.minutes(1))) struct KillTests {
    private static let path = "/api/v1/telemetry"
    private static let rounds = 16

    /// What a process told before it was killed.
    private struct Flushed {
        var first: Int
        /// The events and reads before its last flush that delivered.
        var delivered: (number: Int, reads: Int)
        /// The same for its last flush.
        var last: (number: Int, reads: Int)
        /// The number of the state that it had read before the last flush that delivered.
        var state = -1
    }

    @Test func nothingIsLostOrCountedTwiceAndTheLastValuesAreServed() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try await Stage.with { stage in
            var state = 1
            var flushed: [Flushed] = []
            for round in 0..<Self.rounds {
                let first = round * 1_000_000
                flushed.append(
                    try await killed(round, stage, folder, first: first) {
                        // The cache is written all the while.
                        state += 1
                        try stage.publish(state: state)
                    })
                if round % 3 == 2 {
                    try await checkValues(stage, folder, atLeast: flushed[round].state, atMost: state)
                }
            }
            stage.proxy.setRules([])
            let last = try ChildProcess(["deliver", stage.proxy.url, folder.path, "0"])
            #expect(await last.waitForExit() == .status(0))
            #expect(last.lines.last == "all: true")
            try check(flushed, stage)
        }
    }

    /// Lets a process report until it is killed, at another point each time.
    private func killed(
        _ round: Int, _ stage: Stage, _ folder: TemporaryFolder, first: Int, change: () throws -> Void
    ) async throws -> Flushed {
        // Of the reports some are not answered though they arrived, so that they are sent again.
        let faults: [Fault] = [
            .cut(at: .start, .reset), .hold(at: .start, gate: "never"), .cut(at: .content(0), .finish),
            .answer(Array("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n".utf8), then: nil),
        ]
        var rule = FaultRule(path: Self.path, skipping: round % 3, times: 1)
        rule.faults = [faults[round % faults.count]]
        stage.proxy.setRules([rule])
        let reports = stage.proxy.counts.paths[Self.path, default: 0]
        let child = try ChildProcess(["report", stage.proxy.url, folder.path, "\(first)"])
        for flush in 1...(2 + round % 4) {
            try change()
            if round % 2 == 0 {
                await child.wait { $0.count { $0.contains("ed: ") } >= flush }
            } else {
                // After a fault the client sends no more for a while.
                let arrived = reports + min(flush, rule.skipping + 1)
                await stage.proxy.wait { $0.paths[Self.path, default: 0] >= arrived }
            }
        }
        child.kill()
        #expect(await child.waitForExit() == .signal(9))
        var flushed = Flushed(first: first, delivered: (first, 0), last: (first, 0))
        for line in child.lines {
            let parts = line.split(separator: " ")
            let numbers = parts.dropFirst().compactMap { Int($0) }
            guard numbers.count == 3 else { continue }
            flushed.last = (numbers[0], numbers[1])
            if parts[0] == "delivered:" { (flushed.delivered, flushed.state) = (flushed.last, numbers[2]) }
        }
        return flushed
    }

    /// Starts a process that cannot reach the service.
    private func checkValues(
        _ stage: Stage, _ folder: TemporaryFolder, atLeast first: Int, atMost last: Int
    ) async throws {
        await stage.proxy.closePort()
        let child = try ChildProcess(["values", stage.proxy.url, folder.path])
        #expect(await child.waitForExit() == .status(0))
        let parts = try #require(child.lines.last).split(separator: " ")
        let number = try #require(parts.dropFirst().first.flatMap { Int($0) })
        #expect((first...last).contains(number))
        #expect(parts.joined(separator: " ") == "values: \(number) \(number / 2) \(Flags.mark(1, number))")
        await stage.proxy.openPort()
    }

    private func check(_ flushed: [Flushed], _ stage: Stage) throws {
        var batches: [String: [UInt8]] = [:]
        var numbers: [Int] = []
        var reads = 0
        for record in stage.proxy.records where record.request.path.hasSuffix(Self.path) {
            let batch = try TelemetryBatch.decode(record.request.body)
            if let former = batches.updateValue(record.request.body, forKey: batch.id) {
                // What is sent again is the same, byte for byte.
                #expect(former == record.request.body)
                continue
            }
            for group in batch.groups {
                numbers += group.events.compactMap { $0.properties["number"]?.intValue.map(Int.init) }
                reads += group.evaluations.filter { $0.flag == "half" }.reduce(0) { $0 + Int($1.count) }
            }
        }
        #expect(Set(numbers).count == numbers.count)
        for one in flushed {
            #expect(Set(one.first..<one.delivered.number).isSubset(of: numbers))
            // What came after that may be there, or not.
            #expect(
                numbers.count { ($0 / 1_000_000) * 1_000_000 == one.first } <= one.last.number - one.first + 5
            )
        }
        let least = flushed.reduce(0) { $0 + $1.delivered.reads }
        let most = flushed.reduce(0) { $0 + $1.last.reads + 7 }
        #expect((least...most).contains(reads))
        // The service counts what the distinct reports say.
        #expect(stage.reportCounts.events == UInt64(numbers.count))
        #expect(stage.reportCounts.accepted == UInt64(batches.count))
        report(
            "\(flushed.count) killed processes: \(batches.count) reports, \(stage.reportCounts.duplicates) sent "
                + "again, \(numbers.count) events, \(reads) reads")
    }
}
