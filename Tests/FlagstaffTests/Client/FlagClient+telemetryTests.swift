import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(1))) struct FlagClientTelemetryTests {
    private let reads = ManualReads()

    /// A client that is started and reports.
    private func started(
        queue: (any TelemetryQueue)? = nil, change: (inout FlagClientConfiguration) -> Void = { _ in }
    ) async throws -> ClientFixture {
        let fixture = try ClientFixture(reads: reads, telemetryQueue: queue) { configuration in
            configuration.telemetry = .standard
            configuration.app = FlagAppInfo(name: "Shop", version: "4.2")
            configuration.headers = ["X-Tenant": "t"]
            change(&configuration)
        }
        _ = await fixture.start(["a": 1])
        return fixture
    }

    @Test func reportsBelowTheEndpointWithKeyAndHeaders() async throws {
        let fixture = try await started()
        reads.read("a", times: 3)
        #expect(fixture.client.track("checkout", value: 1.5, properties: ["items": 3]))
        async let isDelivered = fixture.client.flush(timeout: .infinity)
        let exchange = await fixture.transport.exchanges[1]
        #expect(exchange.request.method == "POST")
        #expect(exchange.request.url.absoluteString == "https://flags.test/base/api/v1/telemetry")
        #expect(exchange.request.headers["Authorization"] == "Bearer client-key")
        #expect(exchange.request.headers["X-Tenant"] == "t")
        #expect(exchange.request.headers["Content-Type"] == "application/json")
        exchange.answer(202)
        #expect(await isDelivered)
        let batch = try TelemetryBatch.decode(exchange.request.body ?? [])
        #expect(batch.sdk == .init(name: "flagstaff-swift", version: "0.1.0"))
        #expect(batch.app == .init(name: "Shop", version: "4.2"))
        #expect(batch.readCount == 3)
        #expect(batch.groups.flatMap(\.events).map(\.name) == ["checkout"])
        await fixture.client.close()
    }

    @Test func reportsWhereTheAppSays() async throws {
        let fixture = try await started { $0.telemetry.url = URL(string: "https://telemetry.test/in?x=1") }
        fixture.client.track("a")
        async let isDelivered = fixture.client.flush(timeout: .infinity)
        let exchange = await fixture.transport.exchanges[1]
        #expect(exchange.request.url.absoluteString == "https://telemetry.test/in?x=1")
        #expect(exchange.request.headers["Authorization"] == "Bearer client-key")
        exchange.answer(202)
        #expect(await isDelivered)
        await fixture.client.close()
    }

    @Test(arguments: [
        "http://telemetry.test/in", "ftp://t.test", "/path", "https://user@t.test", "https://t.test/#a",
    ])
    func refusesAnAddressThatCannotBeUsed(address: String) {
        #expect(throws: FlagClientError.self) {
            try ClientFixture { configuration in
                configuration.telemetry = .standard
                configuration.telemetry.url = URL(string: address)
            }
        }
    }

    @Test func reportsNothingWhereThatIsSwitchedOff() async throws {
        let fixture = try await started { $0.telemetry = .off }
        #expect(!reads.isCounting)
        #expect(!fixture.client.track("a"))
        #expect(await !fixture.client.flush())
        await fixture.client.close()
        #expect(fixture.transport.isClosed)
        #expect(fixture.transport.exchanges.elements.count == 1)
        #expect(fixture.time.timerCount == 0)
    }

    @Test func countsNoReadsWhereOnlyEventsAreWanted() async throws {
        let fixture = try await started { $0.telemetry.countsReads = false }
        #expect(!reads.isCounting)
        fixture.client.track("a")
        async let isDelivered = fixture.client.flush(timeout: .infinity)
        await fixture.transport.exchanges[1].answer(202)
        #expect(await isDelivered)
        await fixture.client.close()
    }

    @Test func refusesEventsThatAreNotAcceptable() async throws {
        let fixture = try await started()
        #expect(!fixture.client.track(""))
        #expect(!fixture.client.track("a", value: .nan))
        #expect(fixture.client.track("a", value: 0, properties: ["x": .double(.nan)]))
        async let close: Void = fixture.client.close()
        let exchange = await fixture.transport.exchanges[1]
        exchange.answer(202)
        await close
        #expect(try TelemetryBatch.decode(exchange.request.body ?? []).eventCount == 1)
    }

    @Test func closeDeliversTheLastReportWhileReadsGoOn() async throws {
        let fixture = try await started()
        reads.read(times: 5)
        async let close: Void = fixture.client.close()
        let exchange = await fixture.transport.exchanges[1]
        #expect(!fixture.transport.isClosed)
        #expect(fixture.client.status.connection == .closed)
        #expect(fixture.client.value(for: "a", default: 0) == 1)
        exchange.answer(202)
        await close
        #expect(fixture.transport.isClosed)
        #expect(fixture.time.timerCount == 0)
        #expect(try TelemetryBatch.decode(exchange.request.body ?? []).readCount == 5)
    }

    @Test func closeReturnsWithinItsBoundWhateverTheNetworkDoes() async throws {
        let queue = MemoryTelemetryQueue(now: { 0 })
        let fixture = try await started(queue: queue)
        reads.read()
        async let close: Void = fixture.client.close()
        let exchange = await fixture.transport.exchanges[1]
        #expect(exchange.request.idleTimeout == 5)
        fixture.time.advance(by: 5)
        await close
        #expect(fixture.transport.isClosed)
        #expect(queue.ids.count == 1)
    }

    @Test func whatIsLeftBehindIsSentByTheNextClient() async throws {
        let queue = MemoryTelemetryQueue(now: { 0 })
        let first = try await started(queue: queue)
        reads.read(times: 2)
        async let close: Void = first.client.close()
        let lost = await first.transport.exchanges[1]
        first.time.advance(by: 5)
        await close
        let second = try await started(queue: queue)
        let telemetry = await second.transport.exchanges[1]
        #expect(telemetry.request.body == lost.request.body)
        telemetry.answer(202)
        while !queue.ids.isEmpty { await Task.yield() }
        await second.client.close()
    }

    @Test func aContextChangeReportsWhatWasReadBefore() async throws {
        let fixture = try await started { $0.telemetry.contexts = .examples }
        reads.read(context: FlagContext(key: "user"))
        async let outcome = fixture.client.setContext(FlagContext(key: "other"))
        let exchanges = await fixture.transport.exchanges.first(3)
        let report = try #require(exchanges.first { $0.id < 0 })
        let batch = try TelemetryBatch.decode(report.request.body ?? [])
        #expect(batch.groups.map(\.context) == [.example(["targetingKey": "user"])])
        exchanges.last { $0.id > 0 }?.answer(["a": 2])
        report.answer(202)
        _ = await outcome
        await fixture.client.close()
    }

    @Test func aClientThatIsLetGoOfKeepsItsReport() async throws {
        let queue = MemoryTelemetryQueue(now: { 0 })
        let transport: MemoryTransport
        do {
            let fixture = try await started(queue: queue)
            transport = fixture.transport
            reads.read()
        }
        while queue.ids.isEmpty { await Task.yield() }
        while !transport.isClosed { await Task.yield() }
        #expect(transport.exchanges.elements.allSatisfy { $0.id > 0 })
    }
}
