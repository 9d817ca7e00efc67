import ConfigDirector
import ConfigDirectorTesting
import Foundation
import Testing

/// What the documentation promises, with nothing but what it names.
@Suite(.timeLimit(.minutes(2))) struct AcceptanceTests {
    private struct Checkout {
        let client: ConfigDirectorClient
        var isNewCheckoutEnabled: Bool { client.value(for: "new-checkout", default: false) }
    }

    /// Collects a stream in the background.
    private func collect<Element: Sendable>(_ stream: AsyncStream<Element>) -> Task<[Element], Never> {
        Task {
            var all: [Element] = []
            for await element in stream { all.append(element) }
            return all
        }
    }

    private func describe(_ event: ClientEvent) -> String {
        switch event {
        case let .ready(reason): "ready after \(reason)"
        case let .configsUpdated(update):
            "updated \(update.keys.sorted()) removed \(update.removedKeys.sorted())"
        case let .contextUpdated(context): "context \(context?.id ?? "none")"
        }
    }

    // MARK: The first sample

    @Test func enablesTheNewCheckoutWhenTheFlagIsOn() async {
        let testClient = makeTestClient(values: ["new-checkout": true, "max-items": 20])
        defer { testClient.client.close() }
        await testClient.client.initialize()

        let checkout = Checkout(client: testClient.client)
        #expect(checkout.isNewCheckoutEnabled)

        testClient.setValue(false, for: "new-checkout")
        #expect(!checkout.isNewCheckoutEnabled)
    }

    @Test func streamsOfValuesFollow() async {
        let testClient = makeTestClient(values: ["greeting": "hello"])
        defer { testClient.client.close() }
        var greetings = testClient.client.values(for: "greeting", default: "none").makeAsyncIterator()
        #expect(await greetings.next() == "none")

        await testClient.client.initialize()
        #expect(await greetings.next() == "hello")

        testClient.setValue("hi", for: "greeting")
        #expect(await greetings.next() == "hi")
    }

    @Test func aHeldInitializationIsDrivenFromTheTest() async throws {
        let testClient = makeTestClient(values: ["new-checkout": true], timeout: 30)
        defer { testClient.client.close() }
        testClient.holdInitialization()

        let initialization = Task { await testClient.client.initialize() }
        while !testClient.client.isInitializing { await Task.yield() }
        #expect(testClient.client.isReady == false)

        testClient.completeInitialization()
        // It may be disarmed before it was picked up; either way it ends.
        await initialization.value
        #expect(testClient.client.isReady)
    }

    // MARK: Events

    @Test func orderOfOneInitialization() async {
        let testClient = makeTestClient(values: ["b": 1, "a": true])
        let events = collect(testClient.client.events)
        await testClient.client.initialize(context: ConfigDirectorContext(id: "ada"))
        testClient.setValue(2, for: "b")
        testClient.setValue(2, for: "b")
        testClient.removeValue(for: "a")
        testClient.removeValue(for: "never-there")
        await testClient.client.updateContext(ConfigDirectorContext(id: "eve"))
        testClient.client.pauseNetwork()
        testClient.setValue(3, for: "b")
        await testClient.client.resumeNetwork()
        #expect(testClient.client.value(for: "b", default: 0) == 3)
        testClient.client.close()
        #expect(
            await events.value.map(describe) == [
                "context ada", "ready after initialization", #"updated ["a", "b"] removed []"#,
                #"updated ["b"] removed []"#, #"updated ["b"] removed []"#,
                #"updated ["b"] removed ["a"]"#, #"updated ["b"] removed []"#,
                "context eve", "ready after context update", #"updated ["b"] removed []"#,
                "ready after network resume", #"updated ["b"] removed []"#,
            ])
    }

    @Test func eachAccessIsAStreamOfItsOwnAndOneAfterCloseIsFinished() async {
        let testClient = makeTestClient(values: ["a": 1])
        let first = collect(testClient.client.events)
        let second = collect(testClient.client.events)
        await testClient.client.initialize()
        testClient.client.close()
        #expect(await first.value.count == 3)
        #expect(await second.value.count == 3)
        #expect(await collect(testClient.client.events).value.isEmpty)
        #expect(await collect(testClient.client.evaluations).value.isEmpty)
    }

    // MARK: Evaluations

    @Test func evaluationsTellWhatWasRead() async {
        let testClient = makeTestClient(values: [
            "on": true, "n": 20, "f": 2.5, "s": "Ada", "j": ["theme": "dark", "limit": 3], "empty": "",
            "word": "nonsense",
        ])
        let client = testClient.client
        let evaluations = collect(client.evaluations)
        _ = client.value(for: "on", default: false)
        await client.initialize(context: ConfigDirectorContext(id: "ada"))
        #expect(client.value(for: "on", default: false))
        #expect(client.value(for: "on", default: "x") == "x")
        #expect(client.value(for: "n", default: 0) == 20)
        #expect(client.value(for: "n", default: 0.0) == 20)
        #expect(client.value(for: "f", default: 0) == 2)
        #expect(client.value(for: "f", default: 0.0) == 2.5)
        #expect(client.value(for: "s", default: "") == "Ada")
        #expect(client.value(for: "s", default: 1) == 1)
        #expect(client.value(for: "word", default: true) == true)
        #expect(client.value(for: "empty", default: "default") == "default")
        #expect(client.value(for: "missing", default: 3) == 3)
        #expect(client.value(for: "j", default: "") == #"{"limit":3,"theme":"dark"}"#)
        struct Theme: Decodable, Sendable, Equatable { var theme: String; var limit: Int }
        let fallback = Theme(theme: "light", limit: 0)
        #expect(client.value(for: "j", as: Theme.self, default: fallback) == Theme(theme: "dark", limit: 3))
        #expect(client.value(for: "s", as: Theme.self, default: fallback) == fallback)
        #expect(client.value(for: "j", as: [Int].self, default: [1]) == [1])
        client.close()
        let all = await evaluations.value
        #expect(
            all.map(\.reason) == [
                .clientNotReady, .foundMatch, .typeMismatch, .foundMatch, .foundMatch, .foundMatch,
                .foundMatch,
                .foundMatch, .invalidNumber, .invalidBoolean, .valueMissing, .configStateMissing, .foundMatch,
                .foundMatch, .typeMismatch, .invalidJSON,
            ])
        for evaluation in all {
            #expect(evaluation.isDefaultValue == (evaluation.reason != .foundMatch))
            #expect((evaluation.valueID == nil) == evaluation.isDefaultValue)
        }
        #expect(all[0].context == nil)
        #expect(all[1].context == ConfigDirectorContext(id: "ada"))
        #expect(all[1].value.as(Bool.self) == true)
        #expect(all[1].value.as(String.self) == nil)
        #expect(all[1].valueID == "5WwjWyUjJCIPKe8JswMQVH")
        #expect(all[3].valueID == "7TnXEcrJqhI2XoeIgl7QI7")
        #expect(all[6].valueID == "5c3KnGCaTYhomotMcs0lya")
        #expect("\(all[3].value)" == "20")
        #expect(all[1] == all[1])
        #expect(all[1] != all[3])
    }

    // MARK: Holding and failing

    @Test func callsRunOneAtATimeInTheirOrder() async {
        let testClient = makeTestClient(values: ["a": 1], timeout: 60)
        let events = collect(testClient.client.events)
        testClient.holdInitialization()
        let first = Task { await testClient.client.initialize(context: ConfigDirectorContext(id: "ada")) }
        while !testClient.client.isInitializing { await Task.yield() }
        #expect(testClient.contextUpdates.map(\.id) == ["ada"])
        let second = Task { await testClient.client.updateContext(ConfigDirectorContext(id: "eve")) }
        for _ in 0..<200 { await Task.yield() }
        #expect(testClient.client.context == nil)
        testClient.completeInitialization()
        await first.value
        await second.value
        #expect(testClient.client.context?.id == "eve")
        testClient.client.close()
        #expect(
            await events.value.map(describe).filter { $0.hasPrefix("context") } == [
                "context ada", "context eve",
            ])
    }

    // MARK: Construction

    @Test func traitsAreLiterals() throws {
        let context = ConfigDirectorContext(
            id: "user-123", name: "Ada Lovelace",
            traits: [
                "plan": "pro", "seats": 12, "beta": true, "regions": ["us-east", "eu-west"], "none": nil,
                "deep": ["a": 1.5],
            ])
        let data = try JSONEncoder().encode(context)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["id"] as? String == "user-123")
        let traits = try #require(object["traits"] as? [String: Any])
        #expect(traits["seats"] as? Int == 12)
        #expect(traits["none"] is NSNull)
        #expect(ConfigDirectorContext(isAnonymous: true).isAnonymous == true)
    }

    @Test func storms() async {
        let testClient = makeTestClient(values: ["a": 0])
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<50 {
                        switch (task + round) % 4 {
                        case 0:
                            await testClient.client.initialize(context: ConfigDirectorContext(id: "\(task)"))
                        case 1: await testClient.client.updateContext(ConfigDirectorContext(id: "\(round)"))
                        case 2: await testClient.client.resumeNetwork()
                        default: testClient.setValue(.integer(round), for: "a")
                        }
                        if round % 10 == 9 { testClient.client.pauseNetwork() }
                    }
                }
            }
        }
        await testClient.client.resumeNetwork()
        testClient.setValue(-1, for: "a")
        #expect(testClient.client.value(for: "a", default: 0) == -1)
        #expect(testClient.client.isReady)
        testClient.client.close()
    }

    @Test func fourThousandStreamsMadeWhileAValueIsSetEndOnTheNewest() async {
        let testClient = makeTestClient(values: ["a": 0])
        await testClient.client.initialize()
        for round in 1...4000 {
            let setting = Task.detached { testClient.setValue(.integer(round), for: "a") }
            var values = testClient.client.values(for: "a", default: -1).makeAsyncIterator()
            await setting.value
            while let value = await values.next(), value != round {}
        }
        testClient.client.close()
    }
}

private final class Log: ConfigDirectorLogger, @unchecked Sendable {
    // Unchecked: guarded by the lock.
    private let lock = NSLock()
    private var entries: [ConfigDirectorLogLevel] = []
    let level: ConfigDirectorLogLevel = .debug

    var levels: [ConfigDirectorLogLevel] { lock.withLock { entries } }

    func log(_ level: ConfigDirectorLogLevel, message: String, error: (any Error)?) {
        lock.withLock { entries.append(level) }
    }
}
