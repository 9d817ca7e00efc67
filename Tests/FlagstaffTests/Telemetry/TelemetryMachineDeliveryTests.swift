import FlagModel
import Testing

@testable import Flagstaff

@Suite struct TelemetryMachineDeliveryTests {
    /// A life cycle with one delivery in flight.
    private func delivering(_ change: (inout TelemetrySettings) -> Void = { _ in }) -> TelemetryHarness {
        let harness = TelemetryHarness(change: change)
        harness.start()
        harness.read()
        harness.advance(by: 60)
        return harness
    }

    @Test func storesAWindowBeforeItIsSentAndDeletesItWhenItHasArrived() {
        let harness = delivering()
        #expect(harness.sent.count == 1)
        #expect(harness.sent.first?.timeout == 15)
        #expect(harness.queue.ids == [TelemetryHarness.id(1)])
        harness.answer(202)
        #expect(harness.queue.ids == [])
        #expect(harness.open.isEmpty)
    }

    @Test(arguments: [408, 429, 500, 502, 503, 599])
    func keepsABatchThatTheServiceCannotTakeNow(status: Int) {
        let harness = delivering()
        harness.answer(status)
        #expect(harness.queue.ids == [TelemetryHarness.id(1)])
        harness.advance(by: 60)
        #expect(harness.sent.count == 2)
        #expect(harness.sent[0].batch.bytes == harness.sent[1].batch.bytes)
        harness.answer(200)
        #expect(harness.queue.ids == [])
    }

    @Test func keepsABatchWhenTheNetworkFails() {
        let harness = delivering()
        harness.answer(.failed("no network"))
        #expect(harness.queue.ids == [TelemetryHarness.id(1)])
        harness.advance(by: 60)
        #expect(harness.sent.map(\.batch.bytes).count == 2)
        #expect(Set(harness.sent.map(\.batch.bytes)).count == 1)
    }

    @Test func keepsABatchThatIsNotAnsweredInTime() {
        let harness = delivering()
        harness.advance(by: 14.9)
        #expect(harness.open.count == 1)
        harness.advance(by: 0.2)
        #expect(harness.open.isEmpty)
        #expect(harness.queue.ids == [TelemetryHarness.id(1)])
        // The answer of the request that was cut does not count.
        harness.send(.answered(harness.sent[0].number, .status(202, retryAfter: nil)))
        #expect(harness.queue.ids == [TelemetryHarness.id(1)])
        harness.advance(by: 60)
        #expect(harness.sent.count == 2)
    }

    @Test(arguments: [401, 403])
    func stopsForGoodWithOneErrorWhenItIsRefused(status: Int) {
        let harness = delivering()
        harness.answer(500)
        harness.read()
        harness.advance(by: 60)
        harness.answer(status)
        #expect(harness.queue.ids == [])
        #expect(harness.messages(.error).count == 1)
        #expect(harness.timers.isEmpty)
        harness.read()
        harness.advance(by: 10_000)
        harness.send(.contextSet(FlagContext(key: "other")))
        harness.send(.background)
        harness.send(.foreground)
        #expect(!harness.track())
        let flush = harness.flush()
        #expect(harness.results[flush] == false)
        #expect(harness.sent.count == 2)
        #expect(harness.messages(.error).count == 1)
        let close = harness.close()
        #expect(harness.results[close] == true)
        #expect(harness.isFinished)
    }

    @Test func stopsQuietlyWhereThereIsNoIntake() {
        let harness = delivering()
        harness.answer(404)
        #expect(harness.messages(.error).isEmpty)
        #expect(harness.messages(.info).count == 1)
        #expect(harness.machine.phase == .stopped)
        #expect(harness.queue.ids == [])
    }

    @Test func anIntakeThatWasNamedAndIsNotThereIsAnError() {
        let harness = delivering { $0.isServiceNamed = true }
        harness.answer(404, retryAfter: "3")
        #expect(harness.messages(.error).count == 1)
        #expect(harness.machine.phase == .stopped)
    }

    @Test(arguments: [300, 302, 400, 405, 409, 413, 415, 422, 100])
    func dropsABatchThatIsNotAcceptedAndGoesOn(status: Int) {
        let harness = delivering()
        harness.answer(status)
        #expect(harness.queue.ids == [])
        #expect(harness.messages(.warning).count == 1)
        harness.read()
        harness.advance(by: 60)
        #expect(harness.sent.count == 2)
        #expect(harness.sent[0].batch.id != harness.sent[1].batch.id)
    }

    @Test func sendsNothingForHalfAMinuteAfterAFailure() {
        let harness = delivering { $0.flushInterval = 10 }
        harness.answer(500)
        for second in 1...29 {
            harness.advance(by: 1)
            if second % 10 == 0 { harness.read() }
            #expect(harness.sent.count == 1)
        }
        let flush = harness.flush()
        #expect(harness.results[flush] == false)
        harness.advance(by: 10)
        #expect(harness.sent.count == 2)
    }

    @Test(arguments: [
        ("120", 120.0), ("0", 30), ("5", 30), ("100000", 600), ("99999999999999999999", 600), ("soon", 30),
        ("Fri, 15 Jan 2027 08:03:00 GMT", 120), ("2027-01-15T08:03:00Z", 120), ("2027-01-15T08:00:00Z", 30),
        ("Sun, 06 Nov 2044 08:49:37 GMT", 600),
    ])
    func waitsAsLongAsTheServiceAsks(retryAfter: String, wait: Double) {
        let harness = delivering {
            $0.flushInterval = 5
            $0.retainedAge = 10_000
        }
        // The first tick was at 60 s: 2027-01-15 08:01:00.
        harness.answer(429, retryAfter: retryAfter)
        harness.advance(by: 1_000)
        // The first tick after the wait.
        #expect(harness.sent[1].time - harness.sent[0].time == wait)
    }

    @Test func sendsTheOldestFirstAndOneAtATime() {
        let harness = delivering { $0.retainedAge = 10_000 }
        harness.answer(503, retryAfter: "200")
        for _ in 0..<3 {
            harness.read()
            harness.advance(by: 60)
        }
        #expect(harness.sent.count == 1)
        harness.advance(by: 60)
        while !harness.open.isEmpty { harness.answer(202) }
        #expect(harness.sent.dropFirst().map(\.batch.id) == (1...4).map(TelemetryHarness.id))
        #expect(harness.queue.ids == [])
    }

    @Test func keepsToItsCapsAndGivesUpTheOldest() {
        let harness = delivering { $0.retainedAge = 100_000 }
        harness.answer(500)
        for _ in 0..<10 {
            harness.read()
            harness.advance(by: 60)
            if !harness.open.isEmpty { harness.answer(500) }
        }
        #expect(harness.queue.ids == (7...11).map(TelemetryHarness.id))
        harness.advance(by: 60)
        while !harness.open.isEmpty { harness.answer(200) }
        #expect(harness.sent.suffix(5).map(\.batch.id) == (7...11).map(TelemetryHarness.id))
    }

    @Test func forgetsWhatIsTooOld() {
        let harness = delivering()
        harness.answer(500)
        harness.send(.background)
        harness.advance(by: 301)
        harness.send(.foreground)
        #expect(harness.sent.count == 1)
        #expect(harness.queue.ids == [])
    }

    @Test func sendsABatchOverTheByteCapOnceFromMemory() {
        let harness = TelemetryHarness { $0.retainedBytes = 100 }
        harness.start()
        harness.read()
        harness.advance(by: 60)
        #expect(harness.sent.count == 1)
        #expect(harness.queue.ids == [])
        harness.answer(500)
        #expect(harness.messages(.warning).count == 1)
        harness.advance(by: 600)
        #expect(harness.sent.count == 1)
        harness.read()
        harness.advance(by: 60)
        #expect(harness.sent.count == 2)
        harness.answer(202)
        #expect(harness.queue.ids == [])
    }

    @Test func resendsTheSameBytesAfterARestart() {
        let first = delivering()
        let bytes = first.sent[0].batch.bytes
        // The process ends here, with the delivery in flight.
        let second = TelemetryHarness(queue: first.queue)
        second.start()
        #expect(second.sent.map(\.batch.bytes) == [bytes])
        second.answer(200)
        #expect(second.queue.ids == [])
        first.advance(by: 0)
    }

    @Test func aQueueThatCannotDeleteMakesNoEndlessResending() {
        let harness = delivering()
        let batch = harness.sent[0].batch
        harness.answer(202)
        _ = harness.queue.append(id: batch.id, bytes: batch.bytes)
        let flush = harness.flush()
        #expect(harness.results[flush] == true)
        #expect(harness.sent.count == 1)
    }

    @Test func saysOnceThatDeliveriesFailAndWhenTheyWorkAgain() {
        let harness = delivering()
        for _ in 0..<60 {
            if !harness.open.isEmpty { harness.answer(.failed("no network")) }
            harness.read()
            harness.advance(by: 60)
        }
        #expect(harness.messages(.warning).count == 1)
        while !harness.open.isEmpty { harness.answer(200) }
        #expect(harness.messages(.info).count == 1)
    }
}
