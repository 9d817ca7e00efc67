import FlagModel
import Testing

@testable import Flagstaff

@Suite struct TelemetryMachineEndingTests {
    private func started(_ change: (inout TelemetrySettings) -> Void = { _ in }) -> TelemetryHarness {
        let harness = TelemetryHarness(change: change)
        harness.start()
        return harness
    }

    // MARK: Background

    @Test func backgroundStoresAndSendsTheWindowOnceWithinItsBound() {
        let harness = started()
        harness.read()
        harness.send(.background)
        #expect(harness.sent.count == 1)
        #expect(harness.sent[0].timeout == 5)
        #expect(harness.queue.ids.count == 1)
        #expect(harness.activity)
        harness.send(.background)
        #expect(harness.sent.count == 1)
        #expect(harness.activities == 1)
        harness.answer(202)
        #expect(!harness.activity)
        #expect(harness.queue.ids == [])
        #expect(harness.timers.isEmpty)
    }

    @Test func backgroundGivesUpAtItsBoundAndKeepsTheWindow() {
        let harness = started()
        harness.read()
        harness.send(.background)
        harness.advance(by: 5)
        #expect(!harness.activity)
        #expect(harness.open.isEmpty)
        #expect(harness.queue.ids.count == 1)
        harness.advance(by: 100)
        harness.send(.foreground)
        #expect(harness.sent.count == 2)
        #expect(harness.sent[0].batch.bytes == harness.sent[1].batch.bytes)
    }

    @Test func backgroundLeavesOlderBatchesForLater() {
        let harness = started()
        harness.read("old")
        harness.advance(by: 60)
        harness.answer(500)
        harness.advance(by: 59)
        harness.read("new")
        harness.send(.background)
        #expect(harness.sent.count == 2)
        #expect(harness.batches.last?.groups.first?.evaluations.first?.flag == "new")
        harness.answer(202)
        #expect(harness.sent.count == 2)
        harness.send(.foreground)
        #expect(harness.sent.count == 3)
        #expect(harness.batches.last?.groups.first?.evaluations.first?.flag == "old")
    }

    @Test(arguments: [TelemetryEvent.background, .close(1)])
    func theLastReportStaysOnDiskWhereItIsNotToWaitForOneInFlight(ending: TelemetryEvent) {
        let harness = started { $0.awaitsReportInFlight = false }
        harness.read("first")
        harness.advance(by: 60)
        #expect(harness.sent.count == 1)
        harness.read("last")
        harness.send(ending)
        // In the background it may still arrive; whoever closes waits for nothing.
        if !harness.open.isEmpty { harness.answer(202) }
        #expect(harness.sent.count == 1)
        #expect(harness.queue.ids.count >= 1)
        #expect(!harness.activity)
    }

    @Test func backgroundSendsTheLastReportAfterWhatIsInFlight() {
        let harness = started()
        harness.read("old")
        harness.advance(by: 60)
        harness.read("new")
        harness.send(.background)
        #expect(harness.sent.count == 1)
        #expect(harness.queue.ids.count == 2)
        harness.answer(202)
        #expect(harness.activity)
        #expect(harness.sent.count == 2)
        harness.answer(202)
        #expect(!harness.activity)
        #expect(harness.queue.ids.isEmpty)
        harness.send(.foreground)
        #expect(harness.sent.count == 2)
    }

    @Test(arguments: [nil, "300"]) func backgroundSendsNothingWhileTheServiceIsToBeLeftAlone(
        retryAfter: String?
    ) {
        let harness = started()
        harness.read()
        harness.advance(by: 60)
        harness.answer(503, retryAfter: retryAfter)
        harness.read()
        harness.advance(by: 29)
        harness.send(.background)
        #expect(harness.sent.count == 1)
        #expect(!harness.activity)
        #expect(harness.queue.ids.count == 2)
    }

    @Test func backgroundOfAnEmptyWindowEndsAtOnce() {
        let harness = started()
        harness.send(.background)
        #expect(harness.activities == 1)
        #expect(!harness.activity)
        #expect(harness.timers.isEmpty)
    }

    @Test func backgroundTakesAlongWhatWasJustBeingCollected() {
        let harness = started()
        harness.read()
        harness.isStuck = true
        harness.advance(by: 60)
        harness.send(.background)
        harness.work()
        #expect(harness.batches.map(\.readCount) == [1])
        harness.answer(202)
        #expect(!harness.activity)
        #expect(harness.queue.ids == [])
    }

    @Test func aHungDiskDoesNotHoldTheAppUp() {
        let harness = started()
        harness.read()
        harness.isStuck = true
        harness.send(.background)
        harness.advance(by: 5)
        #expect(!harness.activity)
        let close = harness.close()
        harness.advance(by: 5)
        #expect(harness.results[close] == true)
        #expect(harness.isFinished)
        harness.work()
        #expect(harness.sent.isEmpty)
    }

    @Test func refusalInTheBackgroundEndsTheActivity() {
        let harness = started()
        harness.read()
        harness.send(.background)
        harness.answer(401)
        #expect(!harness.activity)
        #expect(harness.machine.phase == .stopped)
        #expect(harness.timers.isEmpty)
    }

    @Test func manyTurnsLeaveNothingBehind() {
        let harness = started()
        for _ in 0..<1_000 {
            harness.send(.background)
            harness.send(.foreground)
        }
        #expect(harness.timers.count == 1)
        #expect(harness.sent.isEmpty)
        #expect(!harness.activity)
    }

    // MARK: Close

    @Test func closeSendsTheLastWindowAndThenReturns() {
        let harness = started()
        harness.read()
        harness.track()
        let close = harness.close()
        #expect(harness.sent.count == 1)
        #expect(harness.sent[0].timeout == 5)
        #expect(!harness.isFinished)
        #expect(!harness.track())
        harness.answer(202)
        #expect(harness.results[close] == true)
        #expect(harness.isFinished)
        #expect(harness.timers.isEmpty)
        #expect(harness.queue.ids == [])
        let again = harness.close()
        #expect(harness.results[again] == true)
    }

    @Test func closeReturnsAtItsBound() {
        let harness = started()
        harness.read()
        let first = harness.close()
        let second = harness.close()
        harness.advance(by: 4.9)
        #expect(!harness.isFinished)
        harness.advance(by: 0.1)
        #expect(harness.results[first] == true)
        #expect(harness.results[second] == true)
        #expect(harness.open.isEmpty)
        #expect(harness.queue.ids.count == 1)
        #expect(harness.timers.isEmpty)
    }

    @Test func closeDuringADeliveryWaitsForItWithinItsBound() {
        let harness = started()
        harness.read("old")
        harness.advance(by: 60)
        harness.read("new")
        let close = harness.close()
        #expect(harness.sent.count == 1)
        harness.advance(by: 1)
        harness.answer(202)
        // What came after it is not left to a next run, which can be days away.
        #expect(harness.sent.count == 2)
        #expect(harness.results[close] == nil)
        harness.answer(202)
        #expect(harness.results[close] == true)
        #expect(harness.queue.ids.isEmpty)
        #expect(harness.batches.map(\.readCount) == [1, 1])
    }

    @Test func closeDuringADeliveryThatFailsKeepsBothReports() {
        let harness = started()
        harness.read("old")
        harness.advance(by: 60)
        harness.read("new")
        let close = harness.close()
        harness.answer(503)
        #expect(harness.results[close] == true)
        #expect(harness.queue.ids.count == 2)
        #expect(harness.sent.count == 1)
    }

    @Test func closeDuringADeliveryThatHangsReturnsWithinItsBound() {
        let harness = started()
        harness.read("old")
        harness.advance(by: 60)
        harness.read("new")
        let close = harness.close()
        harness.advance(by: 5)
        #expect(harness.results[close] == true)
        #expect(harness.queue.ids.count == 2)
        #expect(harness.timers.isEmpty)
    }

    @Test func closeSendsSeveralBatchesOfAWindowInOrder() {
        let harness = started { $0.eventsPerBatch = 2 }
        for _ in 0..<5 { harness.track() }
        let close = harness.close()
        while !harness.open.isEmpty { harness.answer(202) }
        #expect(harness.batches.map(\.eventCount) == [2, 2, 1])
        #expect(harness.results[close] == true)
    }

    @Test func closeStopsAtTheFirstFailure() {
        let harness = started { $0.eventsPerBatch = 2 }
        for _ in 0..<5 { harness.track() }
        let close = harness.close()
        harness.answer(503)
        #expect(harness.results[close] == true)
        #expect(harness.sent.count == 1)
        #expect(harness.queue.ids.count == 3)
    }

    @Test func closeBeforeTheStartSendsNothing() {
        let harness = TelemetryHarness()
        harness.read()
        harness.track()
        let close = harness.close()
        #expect(harness.results[close] == true)
        #expect(harness.sent.isEmpty)
        #expect(harness.isFinished)
    }

    @Test func closeDuringTheWayToTheBackgroundReturns() {
        let harness = started()
        harness.read()
        harness.send(.background)
        let close = harness.close()
        #expect(!harness.activity)
        harness.answer(202)
        #expect(harness.results[close] == true)
        #expect(harness.timers.isEmpty)
    }

    @Test func refusalOfTheLastDeliveryEndsTheClose() {
        let harness = started()
        harness.read()
        let close = harness.close()
        harness.answer(403)
        #expect(harness.results[close] == true)
        #expect(harness.queue.ids == [])
        #expect(harness.isFinished)
    }

    @Test func closeEndsWaitingFlushes() {
        let harness = started()
        harness.track()
        let flush = harness.flush(timeout: 100)
        harness.close()
        #expect(harness.results[flush] == false)
    }

    // MARK: Release

    @Test func aClientThatIsLetGoOfStoresItsWindowAndSendsNothing() {
        let harness = started()
        harness.read("old")
        harness.advance(by: 60)
        harness.read("new")
        harness.send(.release)
        #expect(harness.isFinished)
        #expect(harness.open.isEmpty)
        #expect(harness.timers.isEmpty)
        #expect(harness.queue.ids.count == 2)
        harness.send(.release)
        #expect(harness.sent.count == 1)
    }
}
