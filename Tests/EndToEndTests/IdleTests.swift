import FaultProxy
import FlagLocking
import FlagModel
import Flagstaff
import Foundation
import Testing

/// A connected client to which nothing happens.
@Suite(.timeLimit(.minutes(1))) struct IdleTests {
    @Test func noTimerFiresMoreOftenThanTheHeartbeat() async throws {
        // A heartbeat a second, and fifteen seconds of the client in each.
        try await Stage.with(heartbeat: 1) { stage in
            let time = ScaledTime(factor: 15)
            let client = try stage.client(time: time)
            var events = client.events.makeAsyncIterator()
            #expect(await client.start(context: Flags.context(1), timeout: 300).isFresh)
            while let event = await events.next(), event.kind != .connected {}
            let heartbeats = 4
            let (requests, fired) = (stage.proxy.counts.requests, time.fired.withLock { $0 })
            for _ in 0..<heartbeats {
                let bytes = stage.proxy.counts.bytesToClients
                await stage.proxy.wait { $0.bytesToClients > bytes }
            }
            #expect(time.fired.withLock { $0 } - fired <= heartbeats)
            #expect(stage.proxy.counts.requests == requests)
            #expect(client.status.connection == .streaming)
        }
    }
}
