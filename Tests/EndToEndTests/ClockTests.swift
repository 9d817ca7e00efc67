import FaultProxy
import FlagLocking
import FlagModel
import Flagstaff
import Foundation
import Testing

/// The device's clock is wrong, or is set while the client runs: nothing depends on it.
@Suite(.timeLimit(.minutes(1))) struct ClockTests {
    private static let year = 365.0 * 86400

    @Test(arguments: [-30 * year, -86400, 86400, 30 * year])
    func settingTheClockChangesNothing(offset: Double) async throws {
        try await Stage.with { stage in
            let time = ScaledTime(random: 0)
            let client = try stage.client(time: time)
            #expect(await client.start(context: Flags.context(1), timeout: 20).isFresh)
            time.wallOffset.withLock { $0 = offset }
            try stage.publish(state: 2)
            await client.waitForState(2)
            await stage.proxy.cutConnections(.reset)
            try stage.publish(state: 3)
            await client.waitForState(3)
            #expect(await client.setContext(Flags.context(2), timeout: 20).isFresh)
            time.wallOffset.withLock { $0 = 0 }
            #expect(await client.refresh(timeout: 20).isFresh)
            #expect(Flags.isSound(client.snapshot, upTo: 3))
        }
    }

    @Test(arguments: [-30 * year, 30 * year]) func dateToRetryAtCountsFromTheServicesClock(offset: Double)
        async throws
    {
        let head = """
            HTTP/1.1 429 Too Many Requests\r
            Date: Tue, 30 Jun 2026 12:00:00 GMT\r
            Retry-After: Tue, 30 Jun 2026 12:00:01 GMT\r
            Content-Length: 0\r
            \r\n
            """
        try await Stage.with([FaultRule(.answer(Array(head.utf8), then: nil), times: 1)]) { stage in
            let time = ScaledTime()
            time.wallOffset.withLock { $0 = offset }
            let client = try stage.client(time: time)
            let outcome = await client.start(context: Flags.context(1), timeout: 20)
            #expect(outcome.error?.code == .rateLimited)
            #expect(outcome.error?.retryAfter == 1)
            await client.waitForState(1)
        }
    }
}
