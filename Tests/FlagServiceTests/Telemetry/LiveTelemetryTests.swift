import FlagLocking
import FlagModel
import Foundation
import HTTPServer
import Testing

@testable import FlagService
@testable import Flagstaff

/// Reports from the real client to the real service over a real socket.
@Suite(.timeLimit(.minutes(1))) struct LiveTelemetryTests {
    /// A service on a free port.
    private struct Live {
        let source = ManualSource()
        let service: FlagService
        let server: HTTPServer

        init(keys: [String] = [], port: UInt16 = 0) throws {
            service = FlagService(source: source, keys: try ClientKeys(keys), clock: { 1_700_000_000 })
            service.start()
            try source.publish(["flags": ["n": Sample.constant(["x": 7], default: "x")]])
            let service = service
            var configuration = HTTPServer.Configuration()
            configuration.port = port
            server = try HTTPServer.start(
                configuration, errorResponse: { service.errorResponse(for: $0) },
                handler: { service.handle($0) })
        }

        var counts: TelemetryIntake.Counts { service.intake.counts }

        func client(
            key: String? = nil, reads: any ReadCounting = UncountedReads(),
            queue: (any TelemetryQueue)? = nil, change: (inout FlagTelemetryPolicy) -> Void = { _ in }
        ) throws -> FlagClient {
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
            var configuration = FlagClientConfiguration(endpoint: url, key: key)
            configuration.logger = SilentLogger()
            change(&configuration.telemetry)
            return FlagClient(
                service: try ServiceAddress(configuration), configuration: configuration,
                transport: URLSessionTransport(), time: SystemTime(), reads: reads, telemetryQueue: queue)
        }

        func end() async {
            service.stop()
            await server.shutdown(grace: 1)
        }
    }

    private static let user = FlagContext(key: "u", attributes: ["plan": "pro"])

    @Test func totalsAreExact() async throws {
        let live = try Live(keys: ["k"])
        let reads = HandMadeReads()
        let client = try live.client(key: "k", reads: reads)
        #expect(await client.start(context: Self.user).isFresh)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for number in 0..<500 {
                        reads.read("flag \(number % 7)", context: Self.user)
                        client.track(
                            "event", value: Double(number), properties: ["worker": .int(Int64(worker))])
                        if number % 100 == 99 { await client.flush(timeout: 30) }
                    }
                }
            }
        }
        #expect(await client.flush(timeout: 30))
        #expect(live.counts.reads == 2_000)
        #expect(live.counts.events == 2_000)
        #expect(live.counts.duplicates == 0)
        #expect(live.counts.rejected == [:])
        #expect(live.counts.droppedEvents == 0)
        await client.close()
        await live.end()
    }

    @Test func closeDeliversWhatIsLeft() async throws {
        let live = try Live()
        let reads = HandMadeReads()
        let client = try live.client(reads: reads)
        #expect(await client.start(context: Self.user).isFresh)
        reads.read("n", times: 12, context: Self.user)
        client.track("bye")
        await client.close()
        #expect(live.counts.reads == 12)
        #expect(live.counts.events == 1)
        await live.end()
    }

    @Test func aReportWhoseAnswerWasLostIsCountedOnce() async throws {
        let live = try Live()
        let queue = ForgetfulQueue()
        let first = try live.client(queue: queue)
        #expect(await first.start(context: Self.user).isFresh)
        first.track("a")
        queue.forgets = true
        #expect(await first.flush(timeout: 30))
        #expect(live.counts.accepted == 1)
        #expect(live.counts.duplicates == 0)
        // The process ends here: the report has arrived, and nobody knows.
        await first.close()
        queue.forgets = false
        let second = try live.client(queue: queue)
        #expect(await second.start(context: Self.user).isFresh)
        #expect(await second.flush(timeout: 30))
        #expect(live.counts.accepted == 1)
        #expect(live.counts.duplicates >= 1)
        #expect(live.counts.events == 1)
        await second.close()
        await live.end()
    }

    @Test func whatTheServiceMissedWhileItWasAwayArrivesAfterwards() async throws {
        let first = try Live()
        let port = first.server.port
        let queue = MemoryTelemetryQueue(now: { 0 })
        let client = try first.client(queue: queue)
        #expect(await client.start(context: Self.user).isFresh)
        await first.end()
        client.track("a")
        #expect(await client.flush(timeout: 30) == false)
        #expect(queue.ids.count == 1)
        await client.close()
        let second = try Live(port: port)
        let next = try second.client(queue: queue)
        #expect(await next.start(context: Self.user).isFresh)
        #expect(await next.flush(timeout: 30))
        #expect(second.counts.events == 1)
        #expect(queue.ids == [])
        await next.close()
        await second.end()
    }

    @Test func aKeyThatIsNotKnownEndsReporting() async throws {
        let live = try Live(keys: ["right"])
        let queue = MemoryTelemetryQueue(now: { 0 })
        let client = try live.client(key: "wrong", queue: queue)
        #expect(await client.start(context: Self.user).kind == .failed)
        client.track("a")
        #expect(await client.flush(timeout: 30) == false)
        // Deleting is done by another thread.
        while !queue.ids.isEmpty { await Task.yield() }
        #expect(!client.track("b"))
        #expect(live.counts.accepted == 0)
        await client.close()
        await live.end()
    }

    @Test func aTargetThatIsNoIntakeEndsReportingQuietly() async throws {
        let live = try Live()
        let url = URL(string: "http://127.0.0.1:\(live.server.port)/elsewhere")
        let client = try live.client { $0.url = url }
        #expect(await client.start(context: Self.user).isFresh)
        client.track("a")
        #expect(await client.flush(timeout: 30) == false)
        #expect(!client.track("b"))
        // Flags go on.
        #expect(await client.refresh().isFresh)
        await client.close()
        await live.end()
    }

    @Test func theLargestEventsThatATrackTakesAreAccepted() async throws {
        let live = try Live()
        let client = try live.client { $0.contexts = .examples }
        var value: FlagValue = 1
        for _ in 0..<100 { value = ["deeper": value] }
        let context = FlagContext(
            key: String(repeating: "é", count: 3_000), attributes: ["top": value, "n": .double(.nan)])
        await client.start(context: context)
        var deep: FlagValue = 1
        for _ in 0..<7 { deep = [deep] }
        #expect(client.track(String(repeating: "x", count: 256), properties: ["deep": deep]))
        #expect(
            client.track(
                "e", value: -.greatestFiniteMagnitude,
                properties: ["t": .string(String(repeating: "x", count: 32_750))]
            ))
        let many = Dictionary(uniqueKeysWithValues: (0..<300).map { ("p\($0)", FlagValue.double(.infinity)) })
        #expect(client.track("e", properties: many))
        #expect(await client.flush(timeout: 30))
        #expect(live.counts.events == 3)
        #expect(live.counts.rejected == [:])
        await client.close()
        await live.end()
    }
}

/// A counter whose reads a test makes.
private final class HandMadeReads: ReadCounting {
    private let reads = Lock<[CountedRead]>([])

    func read(_ key: String, times: UInt64 = 1, context: FlagContext) {
        let read = CountedRead(
            key: key, variant: "x", reason: .static, isDefault: false, context: context, count: times)
        reads.withLock { $0.append(read) }
    }

    func drain() -> [CountedRead] {
        reads.withLock { reads in
            defer { reads = [] }
            return reads
        }
    }
}

/// A queue that does not get to deleting, as when the process ends at that moment.
private final class ForgetfulQueue: TelemetryQueue {
    private let queue = MemoryTelemetryQueue(now: { 0 })
    private let isForgetful = Lock(false)

    var forgets: Bool {
        get { isForgetful.withLock { $0 } }
        set { isForgetful.withLock { $0 = newValue } }
    }

    func append(id: String, bytes: [UInt8]) -> Bool { queue.append(id: id, bytes: bytes) }

    func oldest() -> (id: String, bytes: [UInt8])? { queue.oldest() }

    func remove(id: String) {
        if !forgets { queue.remove(id: id) }
    }

    func removeAll() { queue.removeAll() }
}
