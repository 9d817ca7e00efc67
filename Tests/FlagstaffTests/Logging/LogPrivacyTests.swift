import FlagModel
import Foundation
import Testing

@testable import Flagstaff

/// Leads a client whose every word is marked through what can go wrong, and looks at all that it logs.
@Suite(.timeLimit(.minutes(1))) struct LogPrivacyTests {
    private struct RecordingLogger: FlagLogger {
        let level = FlagLogLevel.debug
        let messages = Recorder<(level: FlagLogLevel, text: String)>()

        func log(_ level: FlagLogLevel, _ message: String) { messages.record((level, message)) }
    }

    private let logger = RecordingLogger()
    private let context = FlagContext(
        key: "MARK-targeting", bucketingKey: "MARK-bucketing",
        attributes: ["MARK-name": "MARK-attribute", "nested": ["MARK-inner": "MARK-deep"]])
    private let values: [String: FlagValue] = [
        "MARK-flag": "MARK-value", "other": ["MARK-member": "MARK-element"],
    ]

    private func fixture(_ change: (inout FlagClientConfiguration) -> Void = { _ in }) throws -> ClientFixture
    {
        try ClientFixture { configuration in
            configuration.key = "KEY-client"
            configuration.headers = ["X-Proxy": "KEY-header"]
            configuration.logger = logger
            change(&configuration)
        }
    }

    /// No message holds a key, and none at info or above a marked word.
    private func expectNothingPersonal(atLeast count: Int, _ location: SourceLocation = #_sourceLocation) {
        let messages = logger.messages.elements
        #expect(messages.count >= count, sourceLocation: location)
        for (level, text) in messages {
            #expect(!text.contains("KEY-"), sourceLocation: location)
            if level >= .info {
                #expect(!text.contains("MARK-"), "\(level): \(text)", sourceLocation: location)
            }
        }
    }

    @Test(arguments: [301, 400, 401, 403, 404, 408, 429, 500, 503, 999])
    func refusalsOfEveryKind(status: Int) async throws {
        let fixture = try fixture()
        async let outcome = fixture.client.start(context: context)
        await fixture.transport.exchanges[0].answer(
            status, ["Retry-After": "7", "Location": "https://MARK-host/", "WWW-Authenticate": "MARK-realm"],
            #"{"key":"MARK-flag","errorDetails":"MARK-details KEY-client"}"#)
        #expect(await outcome.kind == .failed)
        expectNothingPersonal(atLeast: 1)
    }

    @Test(arguments: [
        "MARK-no-json", #"{"MARK-member":1}"#, #"{"flags":"MARK-value"}"#, #"["MARK-value""#,
        #"{"flags":[{"MARK-member":1},{"key":7,"value":"MARK-value"}]}"#,
    ])
    func answersThatCannotBeRead(body: String) async throws {
        let fixture = try fixture()
        async let outcome = fixture.client.start(context: context)
        await fixture.transport.exchanges[0].answer(200, ["ETag": "MARK-etag"], body)
        _ = await outcome
        expectNothingPersonal(atLeast: 1)
    }

    @Test func slowAndMissingAnswers() async throws {
        let fixture = try fixture { $0.requestTimeout = 1 }
        async let outcome = fixture.client.start(context: context, timeout: 0.5)
        _ = await fixture.transport.exchanges[0]
        fixture.time.advance(by: 2)
        #expect(await outcome.kind == .timedOut)
        fixture.time.advance(by: 60)
        await fixture.transport.exchanges[1].answer(304)
        fixture.time.advance(by: 60)
        await fixture.transport.exchanges[2].fail()
        await fixture.client.close()
        expectNothingPersonal(atLeast: 3)
    }

    @Test func streamOfTheContextsFlags() async throws {
        let fixture = try fixture()
        async let outcome = fixture.client.start(context: context)
        let offer = EventStream(
            type: "flagstaff.evaluations",
            location: .endpoint(requestURI: "/stream?token=MARK-token", origin: nil))
        await fixture.transport.exchanges[0].answer(values, etag: "\"MARK-etag\"", streams: [offer])
        _ = await outcome
        // Each of these ends the stream or is passed over; the last refuses it.
        let messages = [
            "event: patch\ndata: {\"MARK-member\":\"MARK-value\"}\n\n", "event: put\ndata: MARK-value\n\n",
            "event: current\ndata: {\"etag\":\"MARK-other\"}\n\n", "event: MARK-type\ndata: MARK-value\n\n",
            "data: MARK-value\n\n", "retry: MARK-value\n\n",
        ]
        for (index, message) in messages.enumerated() {
            let stream = await fixture.transport.streams[index]
            stream.accept()
            stream.receive(.bytes(Array(message.utf8)))
            stream.receive(.ended(FlagTransportError(kind: .network, message: "the connection broke")))
            fixture.time.advance(by: 300)
        }
        await fixture.transport.streams[messages.count].receive(
            .head(FlagTransportHead(status: 410, headers: [:])))
        await fixture.client.close()
        expectNothingPersonal(atLeast: messages.count + 1)
    }

    @Test func streamsOfNotices() async throws {
        let fixture = try fixture()
        async let outcome = fixture.client.start(context: context)
        let offers = [
            "https://push.test/MARK-path?token=MARK-token", "MARK not an address", "http://MARK-clear.test/",
        ].map {
            EventStream(type: "sse", location: .url($0))
        }
        await fixture.transport.exchanges[0].answer(values, streams: offers)
        _ = await outcome
        let stream = await fixture.transport.streams[0]
        #expect(stream.request.headers["Authorization"] == nil)
        stream.accept()
        for data in [
            "MARK-value", #"{"type":"MARK-type"}"#, #"{"type":"refetchEvaluation","etag":"MARK-etag"}"#,
        ] {
            stream.receive(.bytes(Array("data: \(data)\n\n".utf8)))
        }
        stream.receive(.ended(nil))
        fixture.time.advance(by: 60)
        await fixture.transport.streams[1].receive(
            .head(FlagTransportHead(status: 200, headers: ["Content-Type": "MARK/type"])))
        await fixture.client.close()
        expectNothingPersonal(atLeast: 4)
    }

    @Test func changesOfContext() async throws {
        let fixture = try fixture { $0.contextSwitch = .dropAtOnce }
        async let outcome = fixture.client.start(context: context)
        await fixture.transport.exchanges[0].answer(values)
        _ = await outcome
        async let change = fixture.client.setContext(FlagContext(key: "MARK-other"))
        await fixture.transport.exchanges[1].answer(500)
        _ = await change
        _ = fixture.client.value(for: "MARK-flag", default: 3)
        _ = fixture.client.evaluation(of: "MARK-unknown", default: "MARK-default")
        await fixture.client.close()
        expectNothingPersonal(atLeast: 1)
    }

    @Test func descriptionsFitForLogs() async throws {
        let fixture = try fixture()
        async let outcome = fixture.client.start(context: context)
        await fixture.transport.exchanges[0].answer(values)
        let changes = fixture.client.changes
        var configuration = FlagClientConfiguration(
            endpoint: try #require(URL(string: "https://flags.test/MARK-path")), key: "KEY-client")
        configuration.headers = ["X-Proxy": "KEY-header"]
        let change = FlagChange(
            former: .empty, snapshot: fixture.client.snapshot, changedKeys: ["MARK-flag"])
        let texts = [
            "\(await outcome)", "\(fixture.client.snapshot)", "\(fixture.client.context)", "\(configuration)",
            "\(change)",
        ]
        withExtendedLifetime(changes) {}
        for text in texts {
            #expect(!text.contains("MARK-"))
            #expect(!text.contains("KEY-"))
        }
    }
}
