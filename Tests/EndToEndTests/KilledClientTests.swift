import FlagLocking
import FlagModel
import Foundation
import HTTPServer
import Testing

@testable import FlagService

/// A client's process that is killed while it reports and stores, again and again: what it had stored arrives, once, and
/// the values it had are there at its next start.
@Suite(.timeLimit(.minutes(5))) struct KilledClientTests {
    /// A service that remembers the reports it gets, and can end a client that sends one.
    private final class Witness: Sendable {
        private struct State: Sendable {
            /// The bytes of each batch by its id.
            var batches: [String: [UInt8]] = [:]
            var resent = 0
            var faults: [String] = []
            /// Called when a report has arrived, before it is answered.
            var onReport: (@Sendable () -> Void)?
            var isAway = false
        }

        private let state = Lock(State())

        func arrived(_ body: [UInt8]) {
            let onReport = state.withLock { state in
                do {
                    let id = try TelemetryBatch.decode(body).id
                    if let former = state.batches.updateValue(body, forKey: id) {
                        state.resent += 1
                        if former != body { state.faults.append("a batch was sent again with other bytes") }
                    }
                } catch {
                    state.faults.append("\(error)")
                }
                return state.onReport
            }
            onReport?()
        }

        func onReport(_ body: (@Sendable () -> Void)?) {
            state.withLock { $0.onReport = body }
        }

        /// Whether reports are turned away for now, unread.
        var isAway: Bool {
            get { state.withLock { $0.isAway } }
            set { state.withLock { $0.isAway = newValue } }
        }

        var resent: Int { state.withLock { $0.resent } }
        var faults: [String] { state.withLock { $0.faults } }
        var bodies: [[UInt8]] { state.withLock { Array($0.batches.values) } }
    }

    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("flagstaff-\(UUID().uuidString)")

    private func child(_ port: UInt16, firstRound: Int) throws -> ChildProcess {
        try ChildProcess(
            ["report", "http://127.0.0.1:\(port)", "\(firstRound)"],
            environment: ["XDG_STATE_HOME": folder.path, "CFFIXED_USER_HOME": folder.path])
    }

    /// The numbers in the lines that begin so.
    private static func numbers(_ beginning: String, _ lines: [String]) -> [Int] {
        lines.filter { $0.hasPrefix(beginning + " ") }.compactMap { Int($0.split(separator: " ").last ?? "") }
    }

    @Test func nothingIsLostAndNothingCountedTwice() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let witness = Witness()
        let source = ManualSource()
        let service = FlagService(source: source, keys: try ClientKeys([]), clock: { 1_700_000_000 })
        service.start()
        let server = try HTTPServer.start(
            errorResponse: { service.errorResponse(for: $0) },
            handler: { request in
                if request.path == "/api/v1/telemetry" {
                    if witness.isAway { return .refusal(.serviceUnavailable, "later") }
                    witness.arrived(request.body)
                }
                return service.handle(request)
            })

        var generator = SystemRandomNumberGenerator()
        var read: Set<Int> = []
        var reported: Set<Int> = []
        var round = 1
        var storedState = 0
        for state in 1...24 {
            try source.publish(Flags.state(state))
            let child = try child(server.port, firstRound: round)
            let lineCount = Int.random(in: 2...12, using: &generator)
            witness.isAway = state % 3 == 0
            if witness.isAway {
                await child.wait { $0.contains { $0.hasPrefix("kept") } }
                child.kill()
            } else if state % 3 == 1 {
                // In the middle of a delivery: the service has the report, and the client does not know.
                let left = Lock(Int.random(in: 1...4, using: &generator))
                witness.onReport {
                    let isLast = left.withLock { left in
                        left -= 1
                        return left == 0
                    }
                    if isLast { child.kill() }
                }
            } else {
                await child.wait { $0.count >= lineCount }
                child.kill()
            }
            #expect(await child.waitForExit() == .signal(SIGKILL))
            witness.onReport(nil)
            witness.isAway = false
            await child.wait { _ in false }

            let lines = child.lines
            read.formUnion(Self.numbers("read", lines))
            // What was kept on the disk is as sure to arrive as what has.
            reported.formUnion(Self.numbers("reported", lines) + Self.numbers("kept", lines))
            round = (read.max() ?? 0) + 2
            #expect(state % 3 == 0 || !lines.contains { $0.hasPrefix("kept") })
            if let started = lines.first(where: { $0.hasPrefix("started") }), storedState > 0 {
                // Values that were stored and not known to be are as good.
                let found = try #require(Self.numbers("started", [started]).first)
                #expect((storedState...state).contains(found))
                #expect(started.hasPrefix("started cached") || found == state)
            }
            // A report is stored after the values that came before it.
            if lines.contains(where: { $0.hasPrefix("reported") || $0.hasPrefix("kept") }) {
                storedState = state
            }
        }

        // What is left arrives, and then nothing is.
        let last = try child(server.port, firstRound: 0)
        await last.wait { $0.contains { $0.hasPrefix("left") } }
        #expect(last.lines.contains("left true"))
        #expect(await last.waitForExit() == .status(0))

        try check(witness, service.intake.counts, read: read, reported: reported)
        service.stop()
        await server.shutdown(grace: 1)

        // Without a service the last values are served all the same.
        let alone = try child(server.port, firstRound: 0)
        #expect(await alone.waitForExit() == .status(0))
        await alone.wait { _ in false }
        #expect(alone.lines.first == "started cached 24")
    }

    private func check(
        _ witness: Witness, _ counts: TelemetryIntake.Counts, read: Set<Int>, reported: Set<Int>
    ) throws {
        #expect(witness.faults == [])
        #expect(!reported.isEmpty)
        var reads: [String: UInt64] = [:]
        var events: [Int: Int] = [:]
        for body in witness.bodies {
            for group in try TelemetryBatch.decode(body).groups {
                for evaluation in group.evaluations { reads[evaluation.flag, default: 0] += evaluation.count }
                for event in group.events { events[Int(event.value ?? -1), default: 0] += 1 }
            }
        }
        for number in read {
            // A round that was not reported may have ended before it was stored; half of it cannot have been.
            let isSure = reported.contains(number)
            #expect(reads["read-\(number)"] == 3 || (!isSure && reads["read-\(number)"] == nil))
            #expect(events[number] == 1 || (!isSure && events[number] == nil))
        }
        #expect(counts.accepted == UInt64(witness.bodies.count))
        #expect(counts.duplicates == UInt64(witness.resent))
        #expect(counts.reads == reads.values.reduce(0, +))
        #expect(counts.events == UInt64(events.values.reduce(0, +)))
        #expect(counts.rejected == [:])
    }
}
