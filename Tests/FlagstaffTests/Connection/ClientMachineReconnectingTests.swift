import FlagModel
import Testing

@testable import Flagstaff

@Suite struct ClientMachineReconnectingTests {
    // MARK: Connecting anew

    @Test func itStartsAClientThatWasNotStarted() {
        var harness = MachineHarness()
        let call = harness.reconnect(for: "user")
        #expect(harness.events.map(\.kind) == [.reconnecting])
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.outcome(call) == .fresh)
        #expect(harness.values == ["a": 1])
    }

    @Test func itAsksForAllValuesThoughTheClientHasThem() {
        var harness = MachineHarness()
        harness.startStreaming(["a": 1], etag: "e1")
        let call = harness.reconnect(for: "user")
        #expect(harness.streamID == nil)
        #expect(harness.fetches.last?.etag == nil)
        harness.answer(Answers.fresh(["a": 1], etag: "e1", streams: [Answers.evaluationsStream]))
        #expect(harness.outcome(call) == .fresh)
        #expect(harness.events.filter { $0.kind == .received }.count == 2)
        #expect(harness.streamID != nil)
    }

    @Test func aRequestThatHangsIsCutAndItsCallReturns() {
        var harness = MachineHarness()
        let first = harness.change(to: "user")
        let hanging = harness.fetchID
        let second = harness.reconnect(for: "user")
        #expect(harness.outcome(first) == .superseded)
        #expect(harness.fetchID != hanging)
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.outcome(second) == .fresh)
    }

    @Test func itEndsAPause() {
        var harness = MachineHarness()
        harness.startStreaming()
        harness.send(.pause(.app))
        let call = harness.reconnect(for: "user")
        #expect(harness.events.suffix(2).map(\.kind) == [.resumed, .reconnecting])
        harness.answer(Answers.fresh(["a": 2]))
        #expect(harness.outcome(call) == .fresh)
        #expect(harness.values == ["a": 2])
    }

    @Test func itGoesOnAfterARefusal() {
        var harness = MachineHarness()
        harness.change(to: "user")
        harness.answer(Answers.failure(401))
        let call = harness.reconnect(for: "user")
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.outcome(call) == .fresh)
    }

    @Test func valuesOfTheFormerContextStayUntilOthersCome() {
        var harness = MachineHarness()
        harness.startStreaming(["a": 1])
        harness.reconnect(for: "other")
        #expect(harness.values == ["a": 1])
        #expect(harness.machine.visible.isStale)
        harness.answer(Answers.fresh(["a": 2]))
        #expect(harness.values == ["a": 2])
        #expect(harness.machine.visible.context == FlagContext(key: "other"))
    }

    @Test func aWaitThatTheServiceAskedForIsKept() {
        var harness = MachineHarness { $0.waitsOutFailures = true }
        harness.change(to: "user", timeout: 1)
        harness.answer(Answers.failure(429, retryAfter: "30"))
        let call = harness.reconnect(for: "user", timeout: 3)
        #expect(harness.fetchID == nil)
        harness.advance(by: 4)
        #expect(harness.outcome(call)?.kind == .timedOut)
        harness.advance(by: 30)
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.values == ["a": 1])
    }

    @Test func aClosedClientDoesNotConnect() {
        var harness = MachineHarness()
        harness.send(.close)
        let call = harness.reconnect(for: "user")
        #expect(harness.outcome(call) == .closed)
        #expect(harness.fetches.isEmpty)
        #expect(!harness.events.contains { $0.kind == .reconnecting })
    }

    // MARK: Failures that calls wait out

    @Test(arguments: [Answers.failure(503), Answers.failure(429), .failure(Answers.networkFailure)])
    func aCallWaitsOutWhatCanPass(failure: FetchResult) {
        var harness = MachineHarness { $0.waitsOutFailures = true }
        let call = harness.change(to: "user", timeout: 600)
        harness.answer(failure)
        #expect(harness.outcome(call) == nil)
        while harness.fetchID == nil, harness.uptime < 2000 { harness.advance(by: 0.5) }
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.outcome(call) == .fresh)
    }

    @Test func waitingIsBoundedByTheCallsOwnTime() {
        var harness = MachineHarness { $0.waitsOutFailures = true }
        let call = harness.change(to: "user", timeout: 3)
        for _ in 0..<20 {
            if harness.fetchID != nil { harness.answer(Answers.failure(503)) }
            harness.advance(by: 0.2)
        }
        #expect(harness.outcome(call)?.kind == .timedOut)
    }

    @Test func aRejectionEndsTheCallAtOnce() {
        var harness = MachineHarness { $0.waitsOutFailures = true }
        let call = harness.change(to: "user", timeout: 600)
        harness.answer(Answers.failure(400))
        #expect(harness.outcome(call)?.kind == .failed)
    }

    @Test func theLeastPartOfAWaitIsWaited() {
        let settings = { (random: Double, attempt: Int) in
            var settings = ConnectionSettings()
            settings.retryCap = 512
            settings.leastRetryPart = 0.5
            return settings.backoff(attempt: attempt, random: random)
        }
        #expect(settings(0, 0) == 0.5)
        #expect(settings(0, 3) == 4)
        #expect(settings(1, 3) == 8)
        #expect(settings(0, 30) == 256)
        #expect(settings(1, 30) == 512)
    }

    // MARK: Rejections

    @Test(arguments: [400, 401, 403, 404, 405, 410, 422, 451])
    func stopAtRejectionStopsAtAnyOfThem(status: Int) {
        var harness = MachineHarness { $0.refusal = .stopAtRejection }
        harness.change(to: "user")
        harness.answer(Answers.failure(status))
        #expect(harness.events.last?.kind == .stopped)
        #expect(harness.events.last?.error?.status == status)
        harness.advance(by: 86_400)
        #expect(harness.fetches.count == 1)
    }

    @Test(arguments: [429, 500, 503])
    func stopAtRejectionGoesOnAfterWhatCanPass(status: Int) {
        var harness = MachineHarness { $0.refusal = .stopAtRejection }
        harness.change(to: "user")
        harness.answer(Answers.failure(status))
        harness.advance(by: 600)
        #expect(harness.fetches.count > 1)
    }

    @Test func listenersHearOfAStopBeforeCallsReturn() {
        var harness = MachineHarness()
        harness.change(to: "user")
        let id = harness.fetchID ?? 0
        let order = harness.send(.fetched(id, Answers.failure(401))).compactMap { action in
            switch action {
            case .emit(let event): event.kind.rawValue
            case .complete: "complete"
            default: nil
            }
        }
        #expect(order.suffix(2) == ["stopped", "complete"])
    }
}
