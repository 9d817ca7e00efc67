import ConfigDirectorTesting
import Testing

/// Calls that are held or fail.
@Suite(.timeLimit(.minutes(1))) struct HoldingTests {
    private let user = ConfigDirectorContext(id: "user")

    // MARK: Holding

    @Test func aHeldInitializeWaitsForItsCompletion() async {
        let testClient = makeTestClient(values: ["n": 1])
        let client = testClient.client
        let events = client.events
        testClient.holdInitialization()
        let call = await beginInitialization(of: client, context: user)
        #expect(!client.isReady)
        #expect(client.context == nil)
        testClient.setValue(2, for: "n")
        #expect(client.value(for: "n", default: 0) == 0)
        testClient.completeInitialization()
        #expect(client.isReady)
        #expect(!client.isInitializing)
        #expect(client.context == user)
        #expect(client.value(for: "n", default: 0) == 2)
        await call.value
        client.close()
        #expect(
            await rest(of: events).map(\.story) == ["context: user", "ready: initialization", "updated: n"])
    }

    @Test func aHeldUpdateKeepsContextAndValues() async {
        let testClient = makeTestClient(values: ["n": 1])
        let client = testClient.client
        await client.initialize()
        let events = client.events
        testClient.holdContextUpdate()
        let call = await beginUpdate(of: testClient, to: user)
        #expect(!client.isReady)
        #expect(!client.isInitializing)
        #expect(client.context == nil)
        #expect(client.value(for: "n", default: 0) == 1)
        testClient.completeContextUpdate()
        #expect(client.isReady)
        await call.value
        #expect(client.context == user)
        client.close()
        #expect(
            await rest(of: events).map(\.story) == ["context: user", "ready: context update", "updated: n"])
    }

    @Test func aHoldEndsAtTheTimeLimitAndLogsIt() async {
        let logger = RecordingLogger()
        let testClient = makeTestClient(values: ["n": 1], timeout: 0.02, logger: logger)
        let client = testClient.client
        let events = client.events
        testClient.holdInitialization()
        await client.initialize(context: user)
        #expect(!client.isReady)
        #expect(client.isInitializing)
        #expect(client.context == user)
        #expect(logger.entries.map(\.level) == [.warn])
        // The attempt is over: there is nothing to complete.
        testClient.completeInitialization()
        #expect(!client.isReady)
        await client.initialize(context: user)
        #expect(client.isReady)
        #expect(!client.isInitializing)
        client.close()
        #expect(
            await rest(of: events).map(\.story) == [
                "context: user", "context: user", "ready: initialization", "updated: n",
            ])
        #expect(logger.entries.count == 1)
    }

    @Test func aHeldUpdateEndsAtTheTimeLimit() async {
        let logger = RecordingLogger()
        let testClient = makeTestClient(values: ["n": 1], timeout: 0.02, logger: logger)
        await testClient.client.initialize()
        testClient.holdContextUpdate()
        await testClient.client.updateContext(user)
        #expect(!testClient.client.isReady)
        #expect(!testClient.client.isInitializing)
        #expect(testClient.client.context == user)
        #expect(testClient.client.value(for: "n", default: 0) == 1)
        #expect(logger.entries.map(\.level) == [.warn])
        await testClient.client.resumeNetwork()
        #expect(testClient.client.isReady)
        testClient.client.close()
    }

    @Test(arguments: [true, false]) func pauseAndCloseReleaseAHeldCall(isPause: Bool) async {
        let logger = RecordingLogger()
        let testClient = makeTestClient(values: ["n": 1], timeout: 60, logger: logger)
        let client = testClient.client
        testClient.holdInitialization()
        let call = await beginInitialization(of: client, context: user)
        if isPause { client.pauseNetwork() } else { client.close() }
        await call.value
        #expect(!client.isReady)
        #expect(client.context == user)
        #expect(client.isInitializing == isPause)
        #expect(logger.entries.map(\.level) == [.warn])
        testClient.completeInitialization()
        #expect(!client.isReady)
        await client.resumeNetwork()
        #expect(client.isReady == isPause)
        client.close()
    }

    @Test func anAttemptThatIsStartedMeanwhileWaits() async {
        let testClient = makeTestClient(values: ["n": 1], timeout: 60)
        let client = testClient.client
        testClient.holdInitialization()
        let first = await beginInitialization(of: client)
        let events = client.events
        let second = Task { await client.updateContext(user) }
        while testClient.contextUpdates.count < 2 { await Task.yield() }
        #expect(client.context == nil)
        testClient.completeInitialization()
        await first.value
        await second.value
        client.close()
        #expect(
            await rest(of: events).map(\.story) == [
                "context: nil", "ready: initialization", "updated: n", "context: user",
                "ready: context update", "updated: n",
            ])
    }

    @Test func completingAnArmedHoldDisarmsIt() async {
        let testClient = makeTestClient(timeout: 60)
        testClient.holdInitialization()
        testClient.holdInitialization()
        testClient.completeInitialization()
        await testClient.client.initialize()
        #expect(testClient.client.isReady)
        testClient.holdContextUpdate()
        testClient.completeContextUpdate()
        await testClient.client.updateContext(user)
        #expect(testClient.client.isReady)
        testClient.client.close()
    }

    @Test func completeWithNothingArmedDoesNothing() async {
        let testClient = makeTestClient()
        testClient.completeInitialization()
        testClient.completeContextUpdate()
        #expect(!testClient.client.isReady)
        await testClient.client.initialize()
        #expect(testClient.client.isReady)
        testClient.client.close()
    }

    @Test func replacingValuesLeavesAHeldCallHeld() async {
        let testClient = makeTestClient(timeout: 60)
        testClient.holdInitialization()
        let call = await beginInitialization(of: testClient.client)
        testClient.replaceValues(["n": 3])
        #expect(!testClient.client.isReady)
        testClient.completeInitialization()
        await call.value
        #expect(testClient.client.value(for: "n", default: 0) == 3)
        testClient.client.close()
    }

    @Test func controlsActOnTheirOwnCallOnly() async {
        let testClient = makeTestClient(timeout: 60)
        let client = testClient.client
        testClient.holdContextUpdate()
        await client.initialize()
        #expect(client.isReady)
        testClient.holdInitialization()
        client.pauseNetwork()
        await client.resumeNetwork()
        #expect(client.isReady)
        let call = await beginUpdate(of: testClient, to: user)
        testClient.completeInitialization()
        testClient.failInitialization()
        #expect(!client.isReady)
        testClient.completeContextUpdate()
        await call.value
        #expect(client.isReady)
        client.close()
    }

    @Test(arguments: [true, false]) func aCallIsNeverLeftHeldThatWasLetGoOn(completes: Bool) async {
        for _ in 0..<300 {
            let testClient = makeTestClient(values: ["n": 1], timeout: 30)
            testClient.holdInitialization()
            let call = Task.detached { await testClient.client.initialize() }
            while testClient.contextUpdates.isEmpty {}
            if completes { testClient.completeInitialization() } else { testClient.failInitialization() }
            await call.value
            #expect(testClient.client.isReady == completes)
            testClient.client.close()
        }
    }

    // MARK: Failing

    @Test func aFailedInitializeReturnsAndLogsAnError() async {
        let logger = RecordingLogger()
        let testClient = makeTestClient(values: ["n": 1], timeout: 60, logger: logger)
        let client = testClient.client
        testClient.failInitialization()
        let events = client.events
        await client.initialize(context: user)
        #expect(!client.isReady)
        #expect(!client.isInitializing)
        #expect(client.context == nil)
        #expect(logger.entries.map(\.level) == [.error])
        guard case .connectionFailed(_, 401)? = logger.entries.first?.error as? ConfigDirectorError else {
            Issue.record("the error does not say what the service answered")
            return
        }
        testClient.setValue(2, for: "n")
        await client.initialize()
        #expect(client.isReady)
        #expect(client.value(for: "n", default: 0) == 2)
        client.close()
        #expect(
            await rest(of: events).map(\.story) == ["context: nil", "ready: initialization", "updated: n"])
    }

    @Test func aHeldInitializeCanFail() async {
        let logger = RecordingLogger()
        let testClient = makeTestClient(timeout: 60, logger: logger)
        testClient.holdInitialization()
        let call = await beginInitialization(of: testClient.client)
        testClient.failInitialization()
        await call.value
        #expect(!testClient.client.isReady)
        #expect(!testClient.client.isInitializing)
        #expect(logger.entries.map(\.level) == [.error])
        await testClient.client.initialize()
        #expect(testClient.client.isReady)
        testClient.client.close()
    }

    @Test func aFailedUpdateKeepsTheFormerContext() async {
        let logger = RecordingLogger()
        let testClient = makeTestClient(values: ["n": 1], timeout: 60, logger: logger)
        let client = testClient.client
        await client.initialize()
        testClient.failContextUpdate()
        await client.updateContext(user)
        #expect(!client.isReady)
        #expect(client.context == nil)
        #expect(client.value(for: "n", default: 0) == 1)
        #expect(logger.entries.map(\.level) == [.error])
        let events = client.events
        // The context that was given last is the one to go on with.
        await client.resumeNetwork()
        #expect(client.context == user)
        client.close()
        #expect(
            await rest(of: events).map(\.story) == ["context: user", "ready: network resume", "updated: n"])
    }

    @Test func theLastPlanCounts() async {
        let testClient = makeTestClient(timeout: 60)
        let client = testClient.client
        testClient.failInitialization()
        testClient.holdInitialization()
        let call = await beginInitialization(of: client)
        testClient.completeInitialization()
        await call.value
        #expect(client.isReady)
        testClient.holdContextUpdate()
        testClient.failContextUpdate()
        await client.updateContext(user)
        #expect(!client.isReady)
        await client.updateContext(user)
        #expect(client.isReady)
        client.close()
    }
}
