import FaultProxy
import FlagModel
import Flagstaff
import Foundation
import Testing

/// Answers that are far too large, or take very long.
@Suite(.timeLimit(.minutes(1))) struct BodyTests {
    @Test func hugeBodyIsCutAtTheLimit() async throws {
        // 40 MiB of blanks, where 32 are taken.
        let blanks = [UInt8](repeating: 0x20, count: 40 << 20)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n"
        let rule = FaultRule(.answer(Array(head.utf8) + blanks, then: nil), path: "/flags", times: 1)
        try await Stage.with([rule]) { stage in
            let client = try stage.client()
            let outcome = await client.start(context: Flags.context(1), timeout: 20)
            #expect(outcome.error?.code == .badResponse)
            await client.waitForState(1)
            // The rest was not waited for.
            await stage.proxy.wait { $0.open <= 2 }
        }
    }

    @Test func bodyThatDripsFailsAtTheRequestsLimit() async throws {
        // Each byte is a sign of life; the limit is for the whole.
        let rule = FaultRule(.drip(at: .content(0), bytes: 1, every: 0.02), path: "/flags", times: 1)
        try await Stage.with([rule]) { stage in
            let client = try stage.client { $0.requestTimeout = 0.5 }
            let outcome = await client.start(context: Flags.context(1), timeout: 20)
            #expect(outcome.error?.code == .timedOut)
            await client.waitForState(1)
        }
    }
}
