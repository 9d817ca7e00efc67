import FaultProxy
import FlagModel
import Flagstaff
import Foundation
import Testing

/// Starting while the network misbehaves: the time limit holds, nothing wrong is read, and the client finds its way
/// by itself once the network does what it should.
@Suite(.timeLimit(.minutes(1))) struct StartFaultTests {
    /// What is wrong, and what comes of a start meanwhile.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var rules: [FaultRule]
        var isPortClosed = false
        /// How the start may end.
        var outcomes: [FlagUpdateOutcome.Kind] = [.failed]
        /// The kind of error, where the start failed.
        var error: FlagClientError.Code?
        /// Whether only the app can make the client go on.
        var isRefusal = false

        init(_ name: String, _ faults: Fault..., error: FlagClientError.Code? = nil) {
            testDescription = name
            var rule = FaultRule()
            rule.faults = faults
            rules = [rule]
            self.error = error
        }

        static func hanging(_ name: String, _ faults: Fault...) -> Case {
            var one = Case(name)
            one.rules[0].faults = faults
            one.outcomes = [.timedOut]
            return one
        }

        static func answer(
            _ name: String, _ head: String, _ body: [UInt8] = [], error: FlagClientError.Code,
            isRefusal: Bool = false
        ) -> Case {
            let text = "HTTP/1.1 \(head)\r\nContent-Length: \(body.count)\r\n\r\n"
            var one = Case(name, .answer(Array(text.utf8) + body, then: nil), error: error)
            one.isRefusal = isRefusal
            return one
        }
    }

    private static let json = "200 OK\r\nContent-Type: application/json"

    private static var cases: [Case] {
        var closed = Case("closed port", error: .network)
        closed.rules = []
        closed.isPortClosed = true
        var slow = Case("slow but steady", .drip(at: .start, bytes: 256, every: 0.001))
        slow.outcomes = [.fresh]
        return [
            closed, slow,
            Case("refused", .refuse, error: .network),
            .hanging("ignored", .ignore),
            .hanging("silent", .hold(at: .start, gate: "")),
            .hanging("silent within the head", .hold(at: .head(40), gate: "")),
            .hanging("silent after the head", .hold(at: .content(0), gate: "")),
            .hanging("silent within the content", .hold(at: .content(50), gate: "")),
            .hanging("a byte a second", .drip(at: .start, bytes: 1, every: 1)),
            .hanging("answers late", .delay(at: .start, seconds: 60)),
            Case("ended before the answer", .cut(at: .start, .finish), error: .network),
            Case("reset before the answer", .cut(at: .start, .reset), error: .network),
            // Ended in order within the head: see HeadEndTests.
            Case("reset within the head", .cut(at: .head(40), .reset), error: .network),
            Case("ended after the head", .cut(at: .content(0), .finish), error: .network),
            Case("reset after the head", .cut(at: .content(0), .reset), error: .network),
            Case("ended within the content", .cut(at: .content(50), .finish), error: .network),
            Case("reset within the content", .cut(at: .content(50), .reset), error: .network),
            Case("damaged first byte", .corrupt(at: .content(0), count: 1, bits: 1), error: .badResponse),
            Case("damaged bytes", .corrupt(at: .content(30), count: 8, bits: 0x80), error: .badResponse),
            Case("damaged status", .corrupt(at: .head(9), count: 3, bits: 0x40), error: .network),
            Case("damaged version", .corrupt(at: .head(0), count: 1, bits: 1), error: .network),
            Case("doubled bytes", .duplicate(at: .content(10), count: 25), error: .badResponse),
            Case("foreign bytes", .insert(at: .content(20), Array("<!-- -->".utf8)), error: .badResponse),
            .hanging("lost bytes", .drop(at: .content(10), count: 25)),
            .answer("no JSON", json, Array("{\"flags\": [".utf8), error: .badResponse),
            .answer("JSON of another kind", json, Array("[1, 2]".utf8), error: .badResponse),
            .answer(
                "a page", "200 OK\r\nContent-Type: text/html", Array("<html>Welcome</html>".utf8),
                error: .badResponse),
            .answer("nothing with 200", json, error: .badResponse),
            .answer("no content", "204 No Content", error: .badResponse),
            .answer("unasked not modified", "304 Not Modified", error: .badResponse),
            .answer(
                "redirected", "302 Found\r\nLocation: http://127.0.0.1:9/", error: .badResponse),
            .answer("bad request", "400 Bad Request", error: .rejected),
            .answer("unauthorized", "401 Unauthorized", error: .unauthorized, isRefusal: true),
            .answer("forbidden", "403 Forbidden", error: .forbidden, isRefusal: true),
            .answer("not found", "404 Not Found", error: .notFound, isRefusal: true),
            .answer(
                "too many requests", "429 Too Many Requests\r\nRetry-After: 1", error: .rateLimited),
            .answer("server error", "500 Internal Server Error", error: .serverError),
            .answer("unavailable", "503 Service Unavailable\r\nRetry-After: 1", error: .serverError),
            .answer(
                "garbage as gzip", "\(json)\r\nContent-Encoding: gzip", Array("no gzip at all".utf8),
                error: .network),
        ]
    }

    /// The time limit of each start, in seconds.
    private static let limit = 1.0

    @Test func endsInTimeAndComesToTheNewestValues() async throws {
        // Nearly all of each case is waiting.
        try await withThrowingTaskGroup(of: Void.self) { group in
            var cases = Self.cases[...]
            for one in cases.prefix(8) { group.addTask { try await Self.run(one) } }
            cases = cases.dropFirst(8)
            while try await group.next() != nil {
                if let one = cases.popFirst() { group.addTask { try await Self.run(one) } }
            }
        }
    }

    private static func run(_ one: Case) async throws {
        let name: Comment = "\(one.testDescription)"
        let storage = MemoryFlagStorage()
        try await Stage.with(one.rules) { stage in
            // The first time there is nothing but the code's defaults.
            let first = try await start(one, stage, storage, name)
            #expect(first.client.value(for: "n", default: -1) == (first.outcome.isFresh ? 1 : -1), name)
            #expect(first.client.status.isReady == first.outcome.isFresh, name)
            try await recover(first.client, one, stage, state: 2, name)
            await first.client.close()

            // The next time there are the last values, whatever the network does.
            stage.proxy.setRules(one.rules)
            let second = try await start(one, stage, storage, name)
            #expect(second.client.value(for: "n", default: -1) == 2, name)
            #expect(second.client.status.isReady, name)
            try await recover(second.client, one, stage, state: 3, name)
        }
    }

    /// Starts a client while the network misbehaves.
    private static func start(
        _ one: Case, _ stage: Stage, _ storage: any FlagStorage, _ name: Comment
    ) async throws -> (client: FlagClient, outcome: FlagUpdateOutcome) {
        if one.isPortClosed { await stage.proxy.closePort() }
        // Its own limit ends a request that hangs, twice as late as the start's.
        let client = try stage.storingClient(storage) { $0.requestTimeout = 2 * limit }
        let begun = ProcessInfo.processInfo.systemUptime
        let outcome = await client.start(context: Flags.context(3), timeout: limit)
        let duration = ProcessInfo.processInfo.systemUptime - begun
        #expect(one.outcomes.contains(outcome.kind), name)
        // Far from the limit of the request; the machine can be busy.
        #expect(duration < limit + 3, name)
        if let error = one.error { #expect(outcome.error?.code == error, name) }
        return (client, outcome)
    }

    /// Lets the network do what it should: the client comes to the newest values.
    private static func recover(
        _ client: FlagClient, _ one: Case, _ stage: Stage, state: Int, _ name: Comment
    ) async throws {
        try stage.publish(state: state)
        await stage.proxy.lift()
        if one.isRefusal {
            #expect(client.status.connection == .stopped, name)
            #expect(await client.refresh(timeout: 20).isFresh, name)
        }
        await client.waitForState(state, name)
        #expect(client.value(for: "mark", default: "") == Flags.mark(3, state), name)
    }
}
