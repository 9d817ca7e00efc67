import FlagstaffTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct TestFlagServiceHoldingTests {
    private let ada = FlagContext(key: "ada")
    private let bob = FlagContext(key: "bob")

    @Test func aHeldStartWaitsAndGetsTheValuesOfItsCompletion() async throws {
        let service = TestFlagService(values: ["a": 1])
        let flags = service.makeClient()
        service.holdNextStart()
        service.holdNextStart()
        async let outcome = flags.start(context: ada)
        let held = try await service.heldRequest(.start)
        #expect(held.context == ada)
        #expect(!flags.status.isReady)
        service.setValue(2, for: "a")
        #expect(flags.value(for: "a", default: 0) == 0)
        service.completeStart()
        #expect(flags.status.isReady)
        #expect(flags.value(for: "a", default: 0) == 2)
        #expect(await outcome == .fresh)
        #expect(service.heldRequests.isEmpty)
        service.setValue(3, for: "a")
        #expect(flags.value(for: "a", default: 0) == 3)
    }

    @Test func aHeldStartEndsAtItsTimeLimitAndCanStillBeCompleted() async throws {
        let clock = TestClock()
        let service = TestFlagService(values: ["a": 1])
        let flags = service.makeClient(clock: clock)
        service.holdNextStart()
        async let outcome = flags.start(context: ada, timeout: 3)
        try await service.heldRequest(.start)
        clock.advance(by: 3)
        #expect(await outcome == .timedOut)
        #expect(!flags.status.isReady)
        service.completeStart()
        #expect(flags.value(for: "a", default: 0) == 1)
    }

    @Test func anAbandonedRequestIsNeverAnswered() async throws {
        let clock = TestClock()
        let service = TestFlagService(values: ["a": 1])
        let flags = service.makeClient(clock: clock) { $0.requestTimeout = 20 }
        service.holdNextStart()
        async let outcome = flags.start(context: ada, timeout: 3)
        try await service.heldRequest(.start)
        service.abandon(.start)
        service.completeStart()
        clock.advance(by: 19)
        #expect(await outcome == .timedOut)
        #expect(!flags.status.isReady)
        // The client gives the request up, and tries again by itself.
        clock.advance(by: 2)
        #expect(flags.status.isReady)
        #expect(service.requests.map(\.kinds).prefix(2) == [[.start], [.update]])
    }

    @Test func completeWithoutAHeldStartTakesTheHoldBack() async throws {
        let service = TestFlagService(values: ["a": 1])
        service.holdNextStart()
        service.completeStart()
        service.completeStart()
        let flags = await service.makeStartedClient()
        #expect(flags.status.isReady)
    }

    @Test func aFailedStartEndsAtOnceAndTheNextWorks() async throws {
        let service = TestFlagService(values: ["a": 1])
        let log = FlagLogRecorder(level: .error)
        let flags = service.makeClient { $0.logger = log }
        service.failStart()
        let outcome = await flags.start(context: ada)
        #expect(outcome.kind == .failed)
        #expect(outcome.error?.code == .unauthorized)
        #expect(flags.status.connection == .stopped)
        #expect(log.entries.count == 1)
        service.setValue(2, for: "a")
        #expect(await flags.start(context: ada) == .fresh)
        #expect(flags.value(for: "a", default: 0) == 2)
    }

    @Test func aHeldStartCanFail() async throws {
        let service = TestFlagService(values: ["a": 1])
        let flags = service.makeClient()
        service.holdNextStart()
        async let outcome = flags.start(context: ada)
        try await service.heldRequest(.start)
        service.failStart(with: .status(503))
        #expect(await outcome.error?.code == .serverError)
    }

    @Test func theLastPlanCounts() async throws {
        let service = TestFlagService()
        service.holdNextStart()
        service.failStart(with: .network)
        let first = service.makeClient()
        #expect(await first.start(context: ada).error?.code == .network)
        service.failStart(with: .network)
        service.holdNextStart()
        let second = service.makeClient()
        async let outcome = second.start(context: ada)
        try await service.heldRequest(.start)
        service.completeStart()
        #expect(await outcome == .fresh)
        service.failStart()
        service.holdNextContextChange()
        service.disarm()
        #expect(await service.makeClient().start(context: ada) == .fresh)
    }

    @Test func startsAndChangesOfContextAreToldApart() async throws {
        let service = TestFlagService(values: ["a": 1])
        let flags = service.makeClient()
        service.holdNextContextChange()
        #expect(await flags.start(context: ada) == .fresh)
        #expect(await flags.refresh() == .fresh)
        // A start with another context is no change of context, and one to the same context is one.
        #expect(await flags.start(context: bob) == .fresh)
        async let outcome = flags.setContext(bob)
        let held = try await service.heldRequest(.contextChange)
        #expect(held.kinds == [.contextChange])
        service.completeContextChange()
        #expect(await outcome == .fresh)
        #expect(service.contexts == [ada, bob, bob])
    }

    @Test func aHeldChangeOfContextKeepsTheFormerValues() async throws {
        let service = TestFlagService()
        service.evaluate { .values(["who": .string($0.targetingKey ?? "")]) }
        let flags = await service.makeStartedClient(context: ada)
        service.holdNextContextChange()
        async let outcome = flags.setContext(bob)
        try await service.heldRequest(.contextChange)
        #expect(flags.value(for: "who", default: "") == "ada")
        #expect(flags.evaluation(of: "who", default: "").reason == .stale)
        service.completeContextChange()
        #expect(flags.value(for: "who", default: "") == "bob")
        #expect(await outcome == .fresh)
    }

    @Test func overlappingChangesEndWithTheLastInWhateverOrderTheyAreAnswered() async throws {
        let service = TestFlagService()
        service.evaluate { .values(["who": .string($0.targetingKey ?? "")]) }
        let flags = await service.makeStartedClient(context: ada)
        service.holdNextContextChange()
        async let first = flags.setContext(bob)
        try await service.heldRequest(.contextChange)
        #expect(await flags.setContext(FlagContext(key: "eve")) == .fresh)
        #expect(await first == .superseded)
        // The former request was cut: there is nothing left to be answered.
        #expect(service.heldRequests.isEmpty)
        #expect(flags.value(for: "who", default: "") == "eve")
    }

    @Test func closingReleasesAHeldCall() async throws {
        let service = TestFlagService()
        let flags = service.makeClient()
        service.holdNextStart()
        async let outcome = flags.start(context: ada)
        try await service.heldRequest(.start)
        await flags.close()
        #expect(await outcome == .closed)
        #expect(service.heldRequests.isEmpty)
        service.completeStart()
        service.setValue(1, for: "a")
        #expect(flags.snapshot.keys.isEmpty)
    }

    @Test func aHeldStreamLeavesTheClientPolling() async throws {
        let clock = TestClock()
        let service = TestFlagService(values: ["a": 1])
        service.holdNext(.stream)
        let flags = await service.makeStartedClient(clock: clock)
        service.setValue(2, for: "a")
        #expect(flags.value(for: "a", default: 0) == 1)
        service.complete(.stream)
        #expect(flags.value(for: "a", default: 0) == 2)
        #expect(flags.status.connection == .streaming)
    }
}
