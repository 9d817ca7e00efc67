import FlagstaffTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct TestFlagServiceNetworkTests {
    @Test func offlineKeepsTheValuesAndOnlineBringsTheNewOnes() async throws {
        let clock = TestClock()
        let service = TestFlagService(values: ["a": 1])
        let flags = await service.makeStartedClient(clock: clock)
        let events = FlagProbe(flags.events)
        service.isOffline = true
        #expect(service.openStreamCount == 0)
        #expect(try await events.events(until: .stale).map(\.kind).contains(.stale))
        service.setValue(2, for: "a")
        #expect(await flags.refresh().error?.code == .network)
        clock.advance(by: 86400)
        #expect(flags.value(for: "a", default: 0) == 1)
        service.isOffline = false
        #expect(await flags.refresh() == .fresh)
        #expect(flags.value(for: "a", default: 0) == 2)
        clock.advance(by: 300)
        #expect(flags.status.connection == .streaming)
    }

    @Test func goingOfflineFailsWhatIsHeld() async throws {
        let service = TestFlagService()
        let flags = service.makeClient()
        service.holdNextStart()
        async let outcome = flags.start(context: FlagContext(key: "ada"))
        try await service.heldRequest(.start)
        service.isOffline = true
        #expect(await outcome.error?.code == .network)
        #expect(service.heldRequests.isEmpty)
    }

    @Test func endedStreamsComeBack() async throws {
        let clock = TestClock()
        let service = TestFlagService(values: ["a": 1])
        let flags = await service.makeStartedClient(clock: clock)
        service.endStreams()
        #expect(flags.status.connection != .streaming)
        service.setValue(2, for: "a")
        #expect(flags.value(for: "a", default: 0) == 1)
        clock.advance(by: 1)
        #expect(flags.value(for: "a", default: 0) == 2)
        #expect(flags.status.connection == .streaming)
        service.endStreams(with: .status(200))
        clock.advance(by: 2)
        #expect(flags.status.connection == .streaming)
    }

    @Test func refusedStreamsLeavePolling() async throws {
        let clock = TestClock()
        let service = TestFlagService(values: ["a": 1])
        service.streamFault = .status(503)
        let flags = await service.makeStartedClient(clock: clock)
        #expect(flags.status.connection == .polling)
        service.setValue(2, for: "a")
        clock.advance(by: 33)
        #expect(flags.value(for: "a", default: 0) == 2)
        service.streamFault = nil
        clock.advance(by: 300)
        #expect(flags.status.connection == .streaming)
    }

    @Test func everyRequestCanFail() async throws {
        let service = TestFlagService(values: ["a": 1])
        service.fault = .status(500)
        let flags = service.makeClient { $0.sync = .manual }
        let first = await flags.start(context: FlagContext(key: "ada"))
        #expect(first.error?.code == .serverError)
        #expect(first.error?.status == 500)
        service.fault = .malformed
        #expect(await flags.refresh().error?.code == .badResponse)
        service.fault = nil
        #expect(await flags.refresh() == .fresh)
    }

    @Test func aLimitIsKeptByTheClientsClock() async throws {
        let clock = TestClock()
        let service = TestFlagService(values: ["a": 1])
        service.failStart(with: .status(429, retryAfter: 60))
        let flags = service.makeClient(clock: clock)
        let outcome = await flags.start(context: FlagContext(key: "ada"))
        #expect(outcome.error?.code == .rateLimited)
        #expect(outcome.error?.retryAfter == 60)
        #expect(await flags.refresh().error?.code == .rateLimited)
        clock.advance(by: 59)
        #expect(service.requests.count == 1)
        clock.advance(by: 2)
        #expect(flags.status.isReady)
    }

    @Test func slowAnswersComeInTheirTime() async throws {
        let clock = TestClock()
        let service = TestFlagService(values: ["a": 1])
        service.answerDelay = 2
        let flags = service.makeClient(clock: clock)
        async let outcome = flags.start(context: FlagContext(key: "ada"))
        try await service.requests(1)
        service.setValue(2, for: "a")
        clock.advance(by: 1.9)
        #expect(!flags.status.isReady)
        #expect(service.heldRequests.isEmpty)
        clock.advance(by: 0.2)
        #expect(await outcome == .fresh)
        #expect(flags.value(for: "a", default: 0) == 2)
    }

    @Test func heartbeatsKeepAStreamAndSilenceEndsIt() async throws {
        let clock = TestClock()
        let service = TestFlagService(values: ["a": 1])
        let flags = await service.makeStartedClient(clock: clock)
        clock.advance(by: 3600)
        #expect(service.requests.count == 2)
        service.heartbeatInterval = nil
        clock.advance(by: 120)
        #expect(service.requests.count > 2)
        #expect(flags.value(for: "a", default: 0) == 1)
    }

    @Test func rubbishOnAStreamCostsNoValue() async throws {
        let clock = TestClock()
        let log = FlagLogRecorder()
        let service = TestFlagService(values: ["a": 1])
        let flags = await service.makeStartedClient(clock: clock) { $0.logger = log }
        service.sendOverStreams("event: patch\ndata: {\"flags\": 7}\n\n")
        _ = try await log.entry(containing: "opened again")
        #expect(flags.value(for: "a", default: 0) == 1)
        clock.advance(by: 2)
        #expect(flags.status.connection == .streaming)
        service.sendOverStreams("event: unknown\ndata: {}\n\n")
        service.setValue(2, for: "a")
        #expect(flags.value(for: "a", default: 0) == 2)
    }
}
