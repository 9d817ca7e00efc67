import Dispatch
import FlagLocking
import FlagModel
import Foundation
import Testing

@testable import Flagstaff

/// Calls that overlap: reports follow the client's own order, whoever is slower to return.
@Suite(.timeLimit(.minutes(1))) struct FlagClientOverlapTests {
    private let reads = ManualReads()

    private func fixture(change: (inout FlagClientConfiguration) -> Void) throws -> ClientFixture {
        try ClientFixture(reads: reads) { configuration in
            configuration.telemetry = .standard
            configuration.telemetry.contexts = .examples
            change(&configuration)
        }
    }

    @Test func eventsBelongToTheContextThatWasSetLast() async throws {
        let hook = Lock<(@Sendable () -> Void)?>(nil)
        let fixture = try fixture { configuration in
            configuration.headerProvider = {
                let body = hook.withLock { hook in
                    defer { hook = nil }
                    return hook
                }
                body?()
                return [:]
            }
        }
        _ = await fixture.start(["a": 1])
        let core = fixture.client.core
        // Another call comes while this one is still busy with its request.
        hook.withLock { hook in
            hook = { core.handle(.change(FlagContext(key: "last"), Waiter(id: -1, timeout: .infinity))) }
        }
        async let outcome = fixture.client.setContext(FlagContext(key: "first"))
        #expect(await outcome == .superseded)
        #expect(fixture.client.context == FlagContext(key: "last"))
        fixture.client.track("checkout")
        async let isDelivered = fixture.client.flush(timeout: .infinity)
        var index = 1
        while await fixture.transport.exchanges[index].id > 0 { index += 1 }
        let report = await fixture.transport.exchanges[index]
        report.answer(202)
        #expect(await isDelivered)
        let batch = try TelemetryBatch.decode(report.request.body ?? [])
        #expect(batch.groups.map(\.context) == [.example(["targetingKey": "last"])])
        #expect(batch.groups.flatMap(\.events).map(\.targetingKey) == ["last"])
        await closing(fixture)
    }

    @Test func reportsGoOnAfterAResumeThatOvertakesItsPause() async throws {
        let fixture = try fixture { $0.sync = .manual }
        _ = await fixture.start(["a": 1])
        let client = fixture.client
        let resumed = Recorder<FlagUpdateOutcome>()
        let token = client.onEvent(on: .immediate) { event in
            guard event.kind == .paused else { return }
            Task.detached { resumed.record(await client.resume(timeout: .infinity)) }
            while client.status.connection == .paused { sched_yield() }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                client.pause()
                continuation.resume()
            }
        }
        token.cancel()
        await fixture.transport.exchanges[1].answer(["a": 1])
        _ = await resumed[0]
        while (core(of: client)?.timerCount ?? 0) > 1 { await Task.yield() }
        reads.read()
        fixture.time.advance(by: 60)
        let report = await fixture.transport.exchanges.first(3).first { $0.id < 0 }
        report?.answer(202)
        #expect(report != nil)
        await closing(fixture)
    }

    @Test func reportsRestUntilTheAppEndsItsPause() async throws {
        let fixture = try fixture { $0.sync = .manual }
        _ = await fixture.start(["a": 1])
        let telemetry = try #require(core(of: fixture.client))
        fixture.client.pause()
        while telemetry.timerCount > 0 { await Task.yield() }
        fixture.client.core.receive(.background)
        fixture.client.core.receive(.foreground)
        while telemetry.timerCount > 1 { await Task.yield() }
        #expect(telemetry.timerCount == 0)
        async let outcome = fixture.client.resume(timeout: .infinity)
        await fixture.transport.exchanges[1].answer(["a": 1])
        #expect(await outcome == .fresh)
        #expect(telemetry.timerCount == 1)
        await closing(fixture)
    }

    private func core(of client: FlagClient) -> TelemetryReporter? { client.core.telemetry }

    private func closing(_ fixture: ClientFixture) async {
        async let close: Void = fixture.client.close()
        fixture.time.advance(by: 5)
        await close
    }
}
