import FlagModel
import FlagstaffTesting
import Quonfig
import Testing

/// What the documentation's samples do.
@Suite(.timeLimit(.minutes(1))) struct DocumentedSamplesTests {
    private struct Failure: Error {}

    @Test func theyReadUpdateLogAndEnd() async throws {
        let device = Device([
            "new-checkout": true, "button-color": "red", "rate-limit": 7, "sample-ratio": 0.5,
            "pricing": ["basic": 3, "pro": 9], "checkout-experiment": "b", "log-level.my-app": "WARN",
        ])
        let quonfig = await device.ready()
        #expect(DocumentedSamples.read(quonfig) == "true red 7 0.5 2 STATIC")
        #expect(DocumentedSamples.probe(quonfig))
        #expect(!DocumentedSamples.gate(quonfig))
        DocumentedSamples.log(quonfig, count: 3, userID: "u", err: Failure())
        DocumentedSamples.bridge(quonfig).error("x")
        let token = await DocumentedSamples.subscribe(quonfig)
        try await DocumentedSamples.update(quonfig)
        #expect(device.service.contexts.last?.targetingKey == "u_456")
        token.cancel()
        await DocumentedSamples.end(quonfig)
        #expect(device.service.clientCount == 0)
    }

    @Test func initializeNeedsNoServiceToReturn() async throws {
        let quonfig = try await DocumentedSamples.initialize()
        #expect(quonfig.isReady)
        #expect(quonfig.context.namespaces["user"]?["email"] == "a@example.com")
        await quonfig.shutdown()
    }
}
