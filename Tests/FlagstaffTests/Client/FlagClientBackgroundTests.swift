import FlagLocking
import FlagModel
import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(3))) struct FlagClientBackgroundTests {
    @Test func contextIsInEffectWhenTheCallReturns() async throws {
        let fixture = try ClientFixture { $0.contextSwitch = .dropAtOnce }
        let client = fixture.client
        client.startInBackground(context: FlagContext(key: "one"))
        #expect(client.context.targetingKey == "one")
        await fixture.transport.exchanges[0].answer(["a": true])
        #expect(client.isEnabled("a"))
        client.setContextInBackground(FlagContext(key: "two"))
        #expect(client.context.targetingKey == "two")
        #expect(!client.isEnabled("a"))
        await fixture.transport.exchanges[1].answer(["a": true])
        #expect(client.isEnabled("a"))
    }

    @Test func requestsSayWhatTheyAreForAfterAnyTime() async throws {
        let fixture = try ClientFixture { $0.contextChangeDelay = 2 }
        fixture.client.startInBackground(context: FlagContext(key: "one"))
        await fixture.transport.exchanges[0].answer([:])
        fixture.client.setContextInBackground(FlagContext(key: "two"))
        fixture.time.advance(by: 3)
        let purposes = await fixture.transport.exchanges[1].request.purposes
        #expect(purposes == [.contextChange])
        #expect(fixture.client.core.state.withLock { $0.purposes.count } == 1)
        await fixture.transport.exchanges[1].answer([:])
        #expect(fixture.client.core.state.withLock { $0.purposes.isEmpty })
    }

    @Test func readinessComesWithTheFirstValues() async throws {
        let fixture = try ClientFixture()
        async let isReady = fixture.client.waitUntilReady(timeout: 100)
        fixture.client.startInBackground(context: FlagContext(key: "one"))
        await fixture.transport.exchanges[0].answer([:])
        #expect(await isReady)
        #expect(await fixture.client.waitUntilReady(timeout: 0))
    }

    @Test func readinessIsNotWaitedForOnAClosedClient() async throws {
        let fixture = try ClientFixture()
        await fixture.client.close()
        #expect(await !fixture.client.waitUntilReady(timeout: .infinity))
    }
}
