import FaultProxy
import FlagModel
import Flagstaff
import Foundation
import Testing

/// A stream that breaks, falls silent or delivers damaged bytes: no wrong value is read, and the client ends on the
/// newest values without help.
@Suite(.timeLimit(.minutes(1))) struct StreamFaultTests {
    private static let path = "/evaluations"
    private static let last = 6

    /// What happens to the first stream, or the first two, of a client.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var faults: [Fault]
        var times = 1

        init(_ name: String, _ faults: Fault..., times: Int = 1) {
            testDescription = name
            self.faults = faults
            self.times = times
        }

        static func answer(_ name: String, _ head: String, _ body: String = "") -> Case {
            let text = "HTTP/1.1 \(head)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            return Case(name, .answer(Array(text.utf8), then: nil))
        }
    }

    private static var cases: [Case] {
        // The opening comment has more than 512 bytes; the first event follows.
        let places: [(String, Fault.Position)] = [
            ("before the answer", .start), ("after the head", .content(0)),
            ("within the comment", .content(100)),
            ("within the first event", .content(580)), ("within a change", .content(900)),
        ]
        let stream = "200 OK\r\nContent-Type: text/event-stream"
        return places.flatMap { name, place in
            [
                Case("ended \(name)", .cut(at: place, .finish), times: 2),
                Case("reset \(name)", .cut(at: place, .reset), times: 2),
                Case("silent \(name)", .hold(at: place, gate: "")),
                Case("slow \(name)", .drip(at: place, bytes: 7, every: 0.001)),
            ]
        } + [
            Case("reset within the head", .cut(at: .head(60), .reset), times: 2),
            Case("silent within the head", .hold(at: .head(60), gate: "")),
            Case("broken chunk", .breakChunk(at: .content(600))),
            Case("foreign event", .insert(at: .content(0), Array("event: news\ndata: {}\n\n".utf8))),
            Case("unreadable event", .insert(at: .content(0), Array("event: put\ndata: {]\n\n".utf8))),
            Case("a stream of nothing", .insert(at: .content(0), Array("\u{FEFF}\n\n\n:\n\n".utf8))),
            .answer("a page", "200 OK\r\nContent-Type: text/html", "<html></html>"),
            .answer("an empty stream", stream),
            .answer("no event", stream, "event: put\ndata: {}\n\n"),
            .answer("no content", "204 No Content"),
            .answer("redirected", "307 Temporary Redirect\r\nLocation: http://127.0.0.1:9/"),
            .answer("not found", "404 Not Found"),
            .answer("gone", "410 Gone"),
            .answer("too many", "429 Too Many Requests\r\nRetry-After: 1"),
            .answer("server error", "500 Internal Server Error"),
            .answer("unavailable", "503 Service Unavailable\r\nRetry-After: 1"),
        ]
    }

    @Test func endsOnTheNewestValues() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for one in Self.cases { group.addTask { try await Self.run(one) } }
            try await group.waitForAll()
        }
    }

    /// A client for which time goes twenty times as fast: a silent stream is given up after 45 seconds.
    private static func hurriedClient(_ stage: Stage) throws -> FlagClient {
        try stage.client(time: ScaledTime(factor: 20)) { $0.requestTimeout = 100 }
    }

    private static func run(_ one: Case) async throws {
        let name: Comment = "\(one.testDescription)"
        var rule = FaultRule(path: path, times: one.times)
        rule.faults = one.faults
        try await Stage.with([rule]) { stage in
            let client = try hurriedClient(stage)
            #expect(await client.start(context: Flags.context(1), timeout: 400).isFresh, name)
            for state in 2...last {
                try stage.publish(state: state)
                // Now and then the state is waited for, so that both single changes and several at once are sent.
                if state == 4 { await client.waitForState(state, name) }
            }
            await client.waitForState(last, name)
        }
    }

    // MARK: Damaged bytes

    /// A kind of damage, done to one place after the other.
    enum Damage: CaseIterable, Sendable {
        case corrupted
        case doubled
        case lost

        func fault(at offset: Int) -> Fault {
            switch self {
            // The highest bit, so that no damage makes another value of the same type: nothing but the
            // connection's own checks could tell that.
            case .corrupted: .corrupt(at: .content(offset), count: 1, bits: 0x80)
            case .doubled: .duplicate(at: .content(offset), count: 40)
            case .lost: .drop(at: .content(offset), count: 40)
            }
        }
    }

    @Test(arguments: Damage.allCases) func neverReadsWhatTheServiceDidNotSend(damage: Damage) async throws {
        // One client for each place; each opens one stream, and further ones when it notices the damage.
        let places = Array(stride(from: 500, to: 2400, by: 47))
        let rules = places.map { FaultRule(damage.fault(at: $0), path: Self.path, times: 1) }
        try await Stage.with(rules) { stage in
            let clients = try places.map { _ in
                try Self.hurriedClient(stage)
            }
            await withTaskGroup(of: Void.self) { group in
                for client in clients {
                    group.addTask { await client.start(context: Flags.context(1), timeout: 400) }
                }
            }
            await stage.proxy.wait { $0.requests >= 2 * clients.count }
            // One that is well tells when a change is out, so that each is sent as one of its own.
            let control = try stage.directClient()
            await control.start(context: Flags.context(1), timeout: 20)
            for state in 2...Self.last {
                try stage.publish(state: state)
                await control.waitForState(state)
                for client in clients { #expect(Flags.isSound(client.snapshot, upTo: state)) }
            }
            // Damage can hide a change altogether; the next one shows it.
            try stage.publish(state: Self.last + 1)
            for (client, place) in zip(clients, places) {
                await client.waitForState(Self.last + 1, "\(damage) at \(place)")
            }
        }
    }
}
