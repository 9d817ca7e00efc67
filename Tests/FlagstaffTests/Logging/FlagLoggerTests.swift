import FlagLocking
import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(1))) struct FlagLoggerTests {
    private struct RecordingLogger: FlagLogger {
        let level: FlagLogLevel
        let messages = Recorder<String>()

        func log(_ level: FlagLogLevel, _ message: String) { messages.record("\(level): \(message)") }
    }

    @Test func onlyWhatIsOfInterestIsLogged() async throws {
        for (level, expected) in [(FlagLogLevel.error, 0), (.warning, 1)] {
            let logger = RecordingLogger(level: level)
            let fixture = try ClientFixture { $0.logger = logger }
            async let outcome = fixture.client.start(context: FlagContext(key: "user"))
            await fixture.transport.exchanges[0].answer(503)
            _ = await outcome
            #expect(logger.messages.elements.count == expected)
        }
    }

    @Test func noMessageHoldsAKeyAContextOrAStreamsAddress() async throws {
        let logger = RecordingLogger(level: .debug)
        let fixture = try ClientFixture { $0.logger = logger }
        async let outcome = fixture.client.start(
            context: FlagContext(key: "alice@example.com", attributes: ["plan": "gold"]))
        let secret = EventStream(type: "sse", location: .url("https://push.test/sse?token=s3cr3t"))
        await fixture.transport.exchanges[0].answer(["a": 1], streams: [secret])
        _ = await outcome
        let stream = await fixture.transport.streams[0]
        #expect(stream.request.url.absoluteString == "https://push.test/sse?token=s3cr3t")
        stream.receive(.ended(FlagTransportError(kind: .network, message: "no network")))
        fixture.time.advance(by: 1)
        await fixture.transport.streams[1].receive(.head(FlagTransportHead(status: 404, headers: [:])))
        async let refresh = fixture.client.refresh()
        await fixture.transport.exchanges[1].answer(401)
        _ = await refresh
        let all = logger.messages.elements.joined(separator: "\n")
        #expect(logger.messages.elements.count >= 3)
        for word in ["alice", "gold", "s3cr3t", "push.test", "client-key"] { #expect(!all.contains(word)) }
    }

    @Test func loggerMayCallTheClient() async throws {
        final class Calling: FlagLogger, Sendable {
            let client = Lock<FlagClient?>(nil)
            let level = FlagLogLevel.debug

            func log(_ level: FlagLogLevel, _ message: String) {
                guard let client = client.withLock({ $0 }) else { return }
                _ = client.status
                _ = client.isEnabled("a")
                client.core.close()
            }
        }
        let logger = Calling()
        let fixture = try ClientFixture { $0.logger = logger }
        logger.client.withLock { $0 = fixture.client }
        async let outcome = fixture.client.start(context: FlagContext(key: "user"))
        await fixture.transport.exchanges[0].answer(503)
        #expect(await outcome.kind == .failed)
        #expect(fixture.client.status.connection == .closed)
        logger.client.withLock { $0 = nil }
    }
}
