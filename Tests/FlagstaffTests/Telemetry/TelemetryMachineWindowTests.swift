import FlagModel
import Testing

@testable import Flagstaff

@Suite struct TelemetryMachineWindowTests {
    @Test func sendsNothingBeforeTheStart() {
        let harness = TelemetryHarness()
        harness.read()
        #expect(harness.track())
        harness.advance(by: 1_000)
        #expect(harness.sent.isEmpty)
        #expect(harness.timers.isEmpty)
        let flush = harness.flush()
        #expect(harness.results[flush] == false)
        harness.start()
        harness.advance(by: 60)
        #expect(harness.batches.first?.readCount == 1)
        #expect(harness.batches.first?.eventCount == 1)
    }

    @Test func endsAWindowAtAFixedInterval() {
        let harness = TelemetryHarness {
            $0.firstFlush = 5; $0.flushInterval = 30
        }
        harness.start()
        for length in [5.0, 30, 30] {
            harness.read(times: 2)
            harness.advance(by: length)
            harness.answer(202)
        }
        #expect(harness.sent.map(\.time) == [1005, 1035, 1065])
        #expect(harness.batches.map(\.readCount) == [2, 2, 2])
        #expect(harness.batches.map { $0.end - $0.start } == [5, 30, 30])
    }

    @Test func sendsNothingForAnEmptyWindow() {
        let harness = TelemetryHarness()
        harness.start()
        harness.advance(by: 3_600)
        harness.send(.contextSet(FlagContext(key: "other")))
        harness.send(.background)
        harness.send(.foreground)
        let flush = harness.flush()
        #expect(harness.results[flush] == true)
        let close = harness.close()
        #expect(harness.results[close] == true)
        #expect(harness.sent.isEmpty)
    }

    @Test func setsNoTimerWhereTheCounterTellsOfReads() {
        let harness = TelemetryHarness { $0.isToldOfReads = true }
        harness.start()
        #expect(harness.timers.isEmpty)
        harness.read()
        harness.send(.readsWaiting)
        #expect(harness.timers.count == 1)
        harness.advance(by: 60)
        harness.answer(202)
        #expect(harness.sent.count == 1)
        #expect(harness.timers.isEmpty)
        let drains = harness.drains
        harness.advance(by: 100_000)
        #expect(harness.drains == drains)
        harness.track()
        #expect(harness.timers.count == 1)
        harness.advance(by: 60)
        #expect(harness.sent.count == 2)
        // What could not be delivered is a reason for a timer too.
        harness.answer(500)
        #expect(harness.timers.count == 1)
        harness.advance(by: 60)
        #expect(harness.sent.count == 3)
    }

    @Test func looksOnlyWhileTheAppCanBeSeen() {
        let harness = TelemetryHarness()
        harness.start()
        harness.send(.background)
        #expect(harness.timers.isEmpty)
        let drains = harness.drains
        harness.advance(by: 100_000)
        #expect(harness.drains == drains)
        harness.send(.foreground)
        #expect(harness.timers.count == 1)
    }

    @Test func endsAWindowWhenTheContextChanges() {
        let harness = TelemetryHarness { $0.contexts = .examples }
        harness.start("one")
        harness.read(context: FlagContext(key: "one"))
        harness.advance(by: 2)
        harness.send(.contextSet(FlagContext(key: "two")))
        #expect(harness.batches.map(\.readCount) == [1])
        #expect(harness.batches.first?.groups.first?.context == .example(["targetingKey": "one"]))
        harness.answer(202)
        // The same context again ends nothing.
        harness.read(context: FlagContext(key: "two"))
        harness.advance(by: 2)
        harness.send(.contextSet(FlagContext(key: "two")))
        #expect(harness.sent.count == 1)
    }

    @Test func aThousandContextsWithoutANetworkPushNothingOut() {
        let harness = TelemetryHarness()
        harness.start("0")
        for number in 1...1_000 {
            harness.read(context: FlagContext(key: "user \(number)"))
            harness.send(.contextSet(FlagContext(key: "user \(number)")))
        }
        let total = harness.batches.map(\.readCount).reduce(0, +)
        harness.answer(500)
        harness.advance(by: 60)
        harness.answer(200)
        while !harness.open.isEmpty { harness.answer(200) }
        #expect(total == 1)
        let delivered = harness.batches.dropFirst().map(\.readCount).reduce(0, +)
        #expect(delivered == 1_000)
        // Contexts of one shape are one group.
        #expect(harness.batches.last?.groups.count == 1)
    }

    @Test func flushDeliversWhatWasTrackedAndWhatWasStored() {
        let harness = TelemetryHarness()
        harness.start()
        harness.read()
        harness.advance(by: 60)
        harness.answer(500)
        harness.advance(by: 40)
        harness.track()
        let flush = harness.flush()
        #expect(harness.results[flush] == nil)
        harness.answer(202)
        #expect(harness.results[flush] == nil)
        harness.answer(202)
        #expect(harness.results[flush] == true)
        #expect(harness.batches.map(\.eventCount) == [0, 0, 1])
    }

    @Test func flushDuringADeliveryWaitsForItsTurn() {
        let harness = TelemetryHarness()
        harness.start()
        harness.read()
        harness.advance(by: 60)
        harness.track()
        let flush = harness.flush()
        #expect(harness.sent.count == 1)
        harness.answer(202)
        #expect(harness.sent.count == 2)
        harness.answer(202)
        #expect(harness.results[flush] == true)
    }

    @Test func flushReturnsAtItsLimitAndWhenItIsCancelled() {
        let harness = TelemetryHarness()
        harness.start()
        harness.track()
        let first = harness.flush(timeout: 3)
        harness.advance(by: 3)
        #expect(harness.results[first] == false)
        let second = harness.flush(timeout: 100)
        harness.send(.abandon(second))
        #expect(harness.results[second] == false)
        harness.answer(202)
        #expect(harness.timers.keys.filter { $0 != .tick }.isEmpty)
    }

    @Test func flushSaysSoWhenABatchIsLost() {
        let harness = TelemetryHarness()
        harness.start()
        harness.track()
        let flush = harness.flush()
        harness.answer(400)
        #expect(harness.results[flush] == false)
    }

    @Test func eventsAreSentAheadOfTimeWhenManyWait() {
        let harness = TelemetryHarness {
            $0.maximumEvents = 10; $0.eventsPerBatch = 4
        }
        harness.start()
        for _ in 0..<10 { #expect(harness.track()) }
        #expect(harness.sent.count == 1)
        while !harness.open.isEmpty { harness.answer(202) }
        #expect(harness.batches.map(\.eventCount) == [4, 4, 2])
    }

    @Test func aStormOfEventsIsBoundedAndCounted() {
        let harness = TelemetryHarness { $0.maximumEvents = 10 }
        harness.start()
        harness.isStuck = true
        var taken = 0
        for _ in 0..<1_000 where harness.track() { taken += 1 }
        #expect(taken == 20)
        #expect(harness.messages(.warning).count == 1)
        harness.work()
        while !harness.open.isEmpty { harness.answer(202) }
        #expect(harness.batches.map(\.eventCount).reduce(0, +) == 20)
        #expect(harness.batches.map(\.droppedEvents).reduce(0, +) == 980)
        #expect(harness.track())
    }

    @Test func aStormOfLargeEventsIsBoundedByItsBytes() {
        let harness = TelemetryHarness { $0.waitingEventBytes = 10_000 }
        harness.start()
        harness.isStuck = true
        let properties: [String: FlagValue] = ["text": .string(String(repeating: "x", count: 1_000))]
        var taken = 0
        for _ in 0..<1_000 where harness.track(properties: properties) { taken += 1 }
        #expect(taken < 22)
        #expect(taken > 15)
    }

    @Test func countsWhatIsBeyondTheCapOfSummaries() {
        let harness = TelemetryHarness { $0.maximumSummaries = 3 }
        harness.start()
        for number in 0..<5 { harness.read("flag \(number)", times: 10) }
        harness.read("flag 0", times: 5)
        harness.read(String(repeating: "x", count: 2_000), times: 7)
        harness.advance(by: 60)
        #expect(harness.batches.first?.readCount == 35)
        #expect(harness.batches.first?.droppedReads == 27)
    }

    @Test func readsAreNotReportedWhereTheyAreNotWanted() {
        let harness = TelemetryHarness { $0.countsReads = false }
        harness.start()
        harness.read()
        harness.advance(by: 60)
        #expect(harness.sent.isEmpty)
        harness.track()
        harness.advance(by: 60)
        #expect(harness.batches.first?.eventCount == 1)
        #expect(harness.batches.first?.readCount == 0)
    }

    @Test func windowsAreAsLongAsTheyWereWhenTheClockIsSet() {
        let harness = TelemetryHarness()
        harness.start()
        harness.read()
        harness.wall -= 1_000_000
        harness.advance(by: 60)
        #expect(harness.batches.first.map { $0.end - $0.start } == 60)
    }
}
