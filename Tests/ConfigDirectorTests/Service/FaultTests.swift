import ConfigDirector
import FaultProxy
import FlagModel
import ServiceStage
import Testing

/// A service that refuses, fails, hangs or restarts.
@Suite(.timeLimit(.minutes(2))) struct FaultTests {
    private static let flags: [String: FlagValue] = ["n": .flag(1)]

    private func answer(_ status: String, _ headers: String = "") -> Fault {
        .answer(Array("HTTP/1.1 \(status)\r\n\(headers)Content-Length: 0\r\n\r\n".utf8), then: nil)
    }

    // MARK: Refusals

    @Test func anUnknownKeyEndsTheAttemptAtOnceAndIsLoggedAsAnError() async throws {
        try await ServiceStage.with(Self.flags) { stage in
            let logger = RecordingLogger()
            let client = try stage.client(key: "nobody's", timeout: 60, logger: logger)
            defer { client.close() }
            let clock = ContinuousClock()
            let duration = await clock.measure {
                await client.initialize(context: ConfigDirectorContext(id: "ada"))
            }
            #expect(duration < .seconds(30))
            #expect(!client.isReady)
            #expect(!client.isInitializing)
            #expect(client.context == nil)
            #expect(client.value(for: "n", default: 7) == 7)
            let errors = logger.entries(.error)
            #expect(errors.count == 1)
            guard case .connectionFailed(_, 401)? = errors.first?.error as? ConfigDirectorError else {
                Issue.record("\(logger.entries)")
                return
            }
        }
    }

    @Test(arguments: ["400 Bad Request", "403 Forbidden", "404 Not Found", "410 Gone"])
    func anyRejectionIsFinalUntilTheNextCall(status: String) async throws {
        let rule = FaultRule(answer(status), times: 1)
        try await ServiceStage.with(Self.flags, [rule]) { stage in
            let client = try stage.client(timeout: 60)
            defer { client.close() }
            await client.initialize()
            #expect(!client.isReady)
            #expect(!client.isInitializing)
            await client.initialize()
            #expect(client.isReady)
            #expect(client.value(for: "n", default: 0) == 1)
        }
    }

    @Test func aRefusedContextKeepsTheFormerOne() async throws {
        try await ServiceStage.with(Self.flags) { stage in
            let client = try stage.client(timeout: 60)
            defer { client.close() }
            await client.initialize(context: ConfigDirectorContext(id: "ada"))
            stage.proxy.setRules([FaultRule(answer("403 Forbidden"), bodyText: "bob", times: 1)])
            await client.updateContext(ConfigDirectorContext(id: "bob"))
            #expect(!client.isReady)
            #expect(client.context?.id == "ada")
            #expect(client.value(for: "n", default: 0) == 1)
            // Resuming goes on with the context that was given last.
            await client.resumeNetwork()
            #expect(client.isReady)
            #expect(client.context?.id == "bob")
        }
    }

    // MARK: What passes

    @Test(arguments: ["429 Too Many Requests", "500 Internal Server Error", "503 Service Unavailable"])
    func aCallWaitsOutWhatCanPass(status: String) async throws {
        let rule = FaultRule(answer(status, "Retry-After: 1\r\n"), times: 1)
        try await ServiceStage.with(Self.flags, [rule]) { stage in
            let client = try stage.client(timeout: 60)
            defer { client.close() }
            await client.initialize()
            #expect(client.isReady)
            #expect(client.value(for: "n", default: 0) == 1)
        }
    }

    @Test func aHangEndsAtTheTimeLimitAndTheClientGoesOnTrying() async throws {
        let hang = FaultRule(.hold(at: .start, gate: "hang"))
        try await ServiceStage.with(Self.flags, [hang]) { stage in
            let logger = RecordingLogger()
            let client = try stage.client(timeout: 0.2, logger: logger)
            let events = client.events
            await client.initialize(context: ConfigDirectorContext(id: "ada"))
            #expect(!client.isReady)
            #expect(client.isInitializing)
            #expect(client.context?.id == "ada")
            #expect(logger.entries(.warn).contains { $0.message.contains("keeps trying") })
            stage.proxy.setRules([])
            await stage.proxy.release("hang")
            // Values can be read a moment before they are told of.
            let stories = await first(3, of: events).map(\.story)
            #expect(stories == ["context: ada", "ready: initialization", "updated: n"])
            #expect(client.value(for: "n", default: 0) == 1)
            #expect(client.isReady)
            #expect(!client.isInitializing)
            client.close()
        }
    }

    @Test func aRefusalThatComesAfterTheTimeLimitEndsTheWaiting() async throws {
        let hang = FaultRule(.hold(at: .start, gate: "hang"))
        try await ServiceStage.with(Self.flags, [hang]) { stage in
            let logger = RecordingLogger()
            let client = try stage.client(key: "nobody's", timeout: 0.2, logger: logger)
            defer { client.close() }
            await client.initialize()
            #expect(client.isInitializing)
            await stage.proxy.release("hang")
            while client.isInitializing { await Task.yield() }
            #expect(!client.isReady)
        }
    }

    @Test func closeAndPauseReleaseACallThatHangs() async throws {
        let hang = FaultRule(.hold(at: .start, gate: "hang"))
        try await ServiceStage.with(Self.flags, [hang]) { stage in
            let client = try stage.client(timeout: 600)
            let first = Task { await client.initialize(context: ConfigDirectorContext(id: "ada")) }
            while !client.isInitializing { await Task.yield() }
            client.pauseNetwork()
            await first.value
            #expect(client.context?.id == "ada")
            #expect(!client.isReady)
            let second = Task { await client.resumeNetwork() }
            for _ in 0..<100 { await Task.yield() }
            client.close()
            await second.value
            await client.initialize()
            await client.updateContext(ConfigDirectorContext(id: "late"))
            #expect(client.context?.id == "ada")
            #expect(!client.isReady)
        }
    }

    @Test func anUpdateCutsARequestThatHangs() async throws {
        let hang = FaultRule(.hold(at: .start, gate: "hang"), bodyText: "ada")
        try await ServiceStage.with(Self.flags, [hang]) { stage in
            let client = try stage.client(timeout: 0.2)
            defer { client.close() }
            await client.initialize(context: ConfigDirectorContext(id: "ada"))
            #expect(!client.isReady)
            await client.updateContext(ConfigDirectorContext(id: "bob"))
            #expect(client.isReady)
            #expect(client.context?.id == "bob")
        }
    }

    @Test func aServiceThatRestartsIsFoundAgain() async throws {
        try await ServiceStage.with(Self.flags) { stage in
            let client = try stage.client()
            let events = client.events
            await client.initialize()
            await stage.stopService()
            #expect(client.value(for: "n", default: 0) == 1)
            try stage.startService()
            try stage.publish(["n": .flag(2)])
            await client.wait(for: 2, of: "n")
            client.close()
            let stories = await rest(of: events).map(\.story)
            #expect(stories.prefix(3) == ["context: nil", "ready: initialization", "updated: n"])
            // Nothing but values is told of a connection that comes back by itself.
            #expect(stories.dropFirst(3).allSatisfy { $0 == "updated: n" })
        }
    }
}
