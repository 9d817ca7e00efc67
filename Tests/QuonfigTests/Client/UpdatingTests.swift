import FlagLocking
import FlagModel
import FlagstaffTesting
import Foundation
import Testing

@testable import Flagstaff
@testable import Quonfig

/// Changes of context, polls, and who hears of changes.
@Suite(.timeLimit(.minutes(1))) struct UpdatingTests {
    private let ada = QuonfigContext(["user": ["key": "ada"]])
    private let bob = QuonfigContext(["user": ["key": "bob"]])

    private func personal() -> Device {
        let device = Device()
        device.service.evaluate { context in
            [FlagResolution(key: "who", value: .string(context.targetingKey ?? "-"), reason: .static)]
        }
        return device
    }

    // MARK: Contexts

    @Test func namespacesAreSentAndTheUsersKeyIsTheTargetingKey() async throws {
        let device = Device()
        let quonfig = await device.ready(
            QuonfigContext([
                "user": ["key": .string("u_123"), "email": .string("a@example.com"), "tags": ["x", "y"]],
                "device": ["mobile": .bool(true), "version": .int(3), "scale": .double(1.5)],
            ]))
        let sent = try #require(device.service.contexts.first)
        #expect(sent.targetingKey == "u_123")
        #expect(
            sent.attributes == [
                "user": ["key": "u_123", "email": "a@example.com", "tags": ["x", "y"]],
                "device": ["mobile": true, "version": 3, "scale": 1.5],
            ])
        #expect(quonfig.context.namespaces["device"]?["version"] == 3)
    }

    @Test func aNumberThatIsNotFiniteIsLeftOutWithAWarning() async throws {
        let device = Device(["on": true])
        let quonfig = await device.ready(QuonfigContext(["user": ["key": "a", "score": .double(.nan)]]))
        #expect(device.service.contexts.first?.attributes == ["user": ["key": "a"]])
        #expect(device.sink.messages.contains { $0.contains("user.score") })
        #expect(quonfig.isEnabled("on"))
    }

    @Test func anotherNamespacesKeyStandsInForTheUsers() {
        let logger = SilentLogger()
        #expect(
            QuonfigContext(["team": ["key": 7], "org": ["name": "x"]]).flagContext(logger: logger)
                .targetingKey == "7")
        #expect(QuonfigContext().flagContext(logger: logger).targetingKey == nil)
    }

    @Test func updateReturnsWithTheNewValues() async throws {
        let device = personal()
        let quonfig = await device.ready(ada)
        #expect(quonfig.string("who", default: "") == "ada")
        try await quonfig.updateContext(bob)
        #expect(quonfig.string("who", default: "") == "bob")
        #expect(quonfig.context == bob)
        await device.pass(120, quonfig)
        #expect(quonfig.string("who", default: "") == "bob")
    }

    @Test func untilThenNothingOfTheFormerUserIsRead() async throws {
        let device = personal()
        let quonfig = await device.ready(ada)
        device.service.holdNextContextChange()
        let update = Task { try await quonfig.updateContext(bob) }
        try await device.service.heldRequest(.contextChange)
        #expect(quonfig.string("who", default: "-") == "-")
        device.service.completeContextChange()
        try await update.value
        #expect(quonfig.string("who", default: "-") == "bob")
        // Back again, what is stored is there at once.
        device.service.holdNextContextChange()
        let back = Task { try await quonfig.updateContext(ada) }
        try await device.service.heldRequest(.contextChange)
        #expect(quonfig.string("who", default: "-") == "ada")
        device.service.completeContextChange()
        try await back.value
    }

    @Test func anUpdateIsNotDroppedBecauseAPollIsUnderWay() async throws {
        let device = personal()
        let quonfig = await device.ready(ada)
        device.service.holdNext(.update)
        await device.pass(67, quonfig)
        try await device.service.heldRequest(.update)
        try await quonfig.updateContext(bob)
        #expect(quonfig.string("who", default: "-") == "bob")
        device.service.complete(.update)
        #expect(quonfig.string("who", default: "-") == "bob")
    }

    @Test func theSameContextKeepsItsValuesAndAsksOnce() async throws {
        let device = personal()
        let quonfig = await device.ready(ada)
        let before = device.service.requests.count
        device.service.holdNextContextChange()
        let update = Task { try await quonfig.updateContext(ada) }
        while device.service.requests.count == before { await Task.yield() }
        #expect(quonfig.string("who", default: "-") == "ada")
        device.service.completeContextChange()
        try await update.value
        #expect(device.service.requests.count == before + 1)
    }

    @Test func aFailedUpdateReturnsAndGivesDefaults() async throws {
        let device = personal()
        let quonfig = await device.ready(ada)
        device.service.isOffline = true
        try await quonfig.updateContext(bob)
        #expect(quonfig.string("who", default: "-") == "-")
    }

    // MARK: Polling

    @Test func pollsAreOneAMinuteAndA304IsCheap() async throws {
        let device = Device(["n": 1])
        let quonfig = await device.ready()
        await device.pass(67, quonfig)
        let requests = try await device.service.requests(2)
        #expect(requests[1].headers["if-none-match"] != nil)
        device.service.setValue(2, for: "n")
        await device.pass(67, quonfig)
        _ = try await device.service.requests(3)
        #expect(quonfig.int("n", default: 0) == 2)
    }

    @Test func aFailedPollKeepsTheValues() async throws {
        let device = Device(["n": 1])
        let quonfig = await device.ready()
        device.service.isOffline = true
        await device.pass(67, quonfig)
        #expect(quonfig.int("n", default: 0) == 1)
        #expect(quonfig.isReady)
    }

    @Test func withoutAnIntervalOnlyTheAppAsks() async throws {
        let device = Device(["n": 1])
        let quonfig = await device.ready { $0.pollInterval = 0 }
        await device.pass(86_400, quonfig)
        #expect(device.service.requests.count == 1)
        quonfig.client.core.handle(.foreground)
        _ = try await device.service.requests(2)
        try await quonfig.updateContext(bob)
        #expect(device.service.requests.count == 3)
    }

    @Test(arguments: [401, 403, 404]) func aRefusalIsLoggedOnceAndAskedAboutSeldom(status: Int) async throws {
        let device = Device(["n": 1])
        device.service.fault = .status(status)
        let quonfig = await device.ready()
        for _ in 0..<40 { await device.pass(60, quonfig) }
        #expect((2...12).contains(device.service.requests.count))
        #expect(device.sink.levels.filter { $0 == .error }.count == 1)
        device.service.fault = nil
        for _ in 0..<10 { await device.pass(60, quonfig) }
        #expect(quonfig.int("n", default: 0) == 1)
    }

    // MARK: Subscribers

    @Test func subscribersHearOfChangesAlone() async throws {
        let device = Device(["n": 1])
        let quonfig = await device.ready()
        let calls = Lock(0)
        let token = await quonfig.subscribe { calls.withLock { $0 += 1 } }
        func settled() async -> Int {
            await MainActor.run {}
            return calls.withLock { $0 }
        }
        #expect(await settled() == 0)
        try await quonfig.updateContext(quonfig.context)
        #expect(await settled() == 0)
        device.service.setValue(2, for: "n")
        try await quonfig.updateContext(quonfig.context)
        #expect(await settled() == 1)
        token.cancel()
        device.service.setValue(3, for: "n")
        try await quonfig.updateContext(quonfig.context)
        #expect(await settled() == 1)
        var dropped: SubscriptionToken? = await quonfig.subscribe { calls.withLock { $0 += 100 } }
        #expect(dropped != nil)
        dropped = nil
        device.service.setValue(4, for: "n")
        try await quonfig.updateContext(quonfig.context)
        #expect(await settled() == 1)
    }

    // MARK: The end

    @Test func afterShutdownReadsGoOnAndNothingElseDoes() async throws {
        let device = Device(["n": 1])
        let quonfig = await device.ready()
        await quonfig.shutdown()
        await quonfig.shutdown()
        let count = device.service.requests.count
        #expect(quonfig.int("n", default: 0) == 1)
        try await quonfig.updateContext(bob)
        device.clock.advance(by: 86_400)
        #expect(device.service.requests.count == count)
        #expect(device.clock.pendingTimers.isEmpty)
        #expect(device.service.clientCount == 0)
    }

    @Test func aClientThatIsDroppedLeavesNothingRunning() async {
        let device = Device(["n": 1])
        var quonfig: Quonfig? = await device.ready()
        weak let gone = quonfig
        quonfig = nil
        #expect(gone == nil)
        while device.service.clientCount > 0 || !device.clock.pendingTimers.isEmpty { await Task.yield() }
    }
}
