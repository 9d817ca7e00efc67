import ConfigDirectorTesting
import Foundation
import Testing

/// The controls of values, and the exact events that they cause.
@Suite(.timeLimit(.minutes(1))) struct ControlTests {
    @Test func initializePublishesContextReadyAndConfigsBeforeItReturns() async {
        let testClient = makeTestClient(values: ["b": 1, "a": 2])
        let events = testClient.client.events
        await testClient.client.initialize(context: ConfigDirectorContext(id: "user"))
        testClient.client.close()
        #expect(
            await rest(of: events).map(\.story) == ["context: user", "ready: initialization", "updated: a,b"])
    }

    @Test func valuesAreOnlyStoredBeforeTheClientIsConnected() async {
        let testClient = makeTestClient(values: ["a": 1, "b": 1])
        let events = testClient.client.events
        testClient.setValue(2, for: "a")
        testClient.removeValue(for: "b")
        #expect(testClient.client.value(for: "a", default: 0) == 0)
        await testClient.client.initialize()
        #expect(testClient.client.value(for: "a", default: 0) == 2)
        testClient.client.close()
        #expect(
            await rest(of: events).map(\.story) == ["context: nil", "ready: initialization", "updated: a"])
    }

    @Test func setDeliversOnlyThatKey() async {
        let testClient = makeTestClient(values: ["a": 1, "b": 1])
        await testClient.client.initialize()
        let events = testClient.client.events
        testClient.setValue(2, for: "b")
        #expect(testClient.client.value(for: "b", default: 0) == 2)
        testClient.setValue(1, for: "c")
        testClient.client.close()
        #expect(await rest(of: events).map(\.story) == ["updated: b", "updated: c"])
    }

    @Test func removeDeliversAllThatAreLeft() async {
        let testClient = makeTestClient(values: ["a": 1, "b": 1, "c": 1])
        await testClient.client.initialize()
        let events = testClient.client.events
        testClient.removeValue(for: "b")
        #expect(testClient.client.value(for: "b", default: 0) == 0)
        testClient.removeValue(for: "unknown")
        testClient.client.close()
        #expect(await rest(of: events).map(\.story) == ["updated: a,c removed: b", "updated: a,c"])
    }

    @Test func replaceDeliversAFullUpdateAndDisarms() async {
        let testClient = makeTestClient(values: ["a": 1, "b": 1])
        await testClient.client.initialize()
        let events = testClient.client.events
        testClient.holdContextUpdate()
        testClient.failInitialization()
        testClient.replaceValues(["b": 2, "c": 1])
        #expect(testClient.client.value(for: "b", default: 0) == 2)
        await testClient.client.updateContext(ConfigDirectorContext(id: "user"))
        #expect(testClient.client.isReady)
        await testClient.client.initialize()
        #expect(testClient.client.isReady)
        testClient.client.close()
        #expect(
            await rest(of: events).map(\.story) == [
                "updated: b,c removed: a", "context: user", "ready: context update", "updated: b,c",
                "context: nil", "ready: initialization", "updated: b,c",
            ])
    }

    @Test func contextsAreRecordedInOrder() async {
        let testClient = makeTestClient()
        await testClient.client.initialize()
        await testClient.client.updateContext(ConfigDirectorContext(id: "a", traits: ["plan": "pro"]))
        testClient.client.pauseNetwork()
        await testClient.client.resumeNetwork()
        await testClient.client.initialize(context: ConfigDirectorContext(id: "b"))
        testClient.client.close()
        await testClient.client.updateContext(ConfigDirectorContext(id: "late"))
        #expect(
            testClient.contextUpdates == [
                ConfigDirectorContext(), ConfigDirectorContext(id: "a", traits: ["plan": "pro"]),
                ConfigDirectorContext(id: "b"),
            ])
    }

    @Test func valuesSetWhilePausedAreDeliveredOnResume() async {
        let testClient = makeTestClient(values: ["n": 1])
        let client = testClient.client
        await client.initialize(context: ConfigDirectorContext(id: "user"))
        let events = client.events
        client.pauseNetwork()
        #expect(!client.isReady)
        testClient.setValue(2, for: "n")
        #expect(client.value(for: "n", default: 0) == 1)
        await client.resumeNetwork()
        #expect(client.isReady)
        #expect(client.value(for: "n", default: 0) == 2)
        client.close()
        #expect(await rest(of: events).map(\.story) == ["ready: network resume", "updated: n"])
    }

    @Test func controlsWorkFromALoggerAndFromManyThreads() async {
        let box = TestClientBox()
        let logger = RecordingLogger { _ in
            guard let testClient = box.testClient else { return }
            testClient.setValue(2, for: "n")
            box.seen = testClient.client.value(for: "n", default: 0)
        }
        let testClient = makeTestClient(values: ["n": 1], logger: logger)
        box.testClient = testClient
        await testClient.client.initialize()
        testClient.failContextUpdate()
        await testClient.client.updateContext(ConfigDirectorContext(id: "user"))
        // The update failed, so nothing is connected, and the value is stored only.
        #expect(box.seen == 1)
        await testClient.client.updateContext(ConfigDirectorContext(id: "user"))
        #expect(testClient.client.value(for: "n", default: 0) == 2)
        box.testClient = nil

        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<200 {
                        testClient.setValue(.integer(number), for: "k\(task)")
                        #expect(testClient.client.value(for: "k\(task)", default: -1) == number)
                    }
                }
            }
        }
        testClient.client.close()
    }

    @Test func afterCloseControlsDoNothingAndSequencesEnd() async {
        let testClient = makeTestClient(values: ["n": 1])
        let client = testClient.client
        await client.initialize()
        let sequences = (client.events, client.evaluations, client.values(for: "n", default: 0))
        client.close()
        testClient.setValue(2, for: "n")
        testClient.removeValue(for: "n")
        testClient.replaceValues(["m": 1])
        testClient.holdInitialization()
        testClient.completeInitialization()
        testClient.failContextUpdate()
        await client.initialize()
        await client.updateContext(ConfigDirectorContext(id: "late"))
        await client.resumeNetwork()
        client.pauseNetwork()
        client.close()
        #expect(client.value(for: "n", default: 0) == 1)
        #expect(!client.isInitializing)
        #expect(await rest(of: sequences.0).isEmpty)
        // That of the stream, when it was made.
        #expect(await rest(of: sequences.1).map(\.story) == ["n=1 found-match"])
        #expect(await rest(of: sequences.2) == [1])
        #expect(await rest(of: client.events).isEmpty)
        #expect(await rest(of: client.evaluations).isEmpty)
        #expect(await rest(of: client.values(for: "n", default: 0)) == [1])
    }
}

/// Hands a test's client to a logger that is made before it.
private final class TestClientBox: @unchecked Sendable {
    // Unchecked: set by the test and read by what the test calls, one after the other.
    var testClient: TestClient?
    var seen = 0
}
