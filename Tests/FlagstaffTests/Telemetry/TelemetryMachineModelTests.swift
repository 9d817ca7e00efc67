import FlagModel
import Testing

@testable import Flagstaff

/// Random lives: whatever happens in whatever order, nothing is lost, nothing is counted twice, and everything ends.
@Suite struct TelemetryMachineModelTests {
    @Test(arguments: 0..<40) func nothingIsLostAndNothingIsCountedTwice(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed) &* 7_919 &+ 1)
        let harness = TelemetryHarness { settings in
            // Nothing is to be given up, so that all can be added up.
            settings.retainedBatches = 1_000_000
            settings.retainedBytes = .max
            settings.retainedAge = .infinity
            settings.maximumEvents = 8
            settings.eventsPerBatch = 3
            settings.isToldOfReads = seed % 2 == 0
        }
        var reads: UInt64 = 0
        var events = 0
        var calls: [Int] = []
        var arrived: [String: TelemetryBatch] = [:]
        harness.start()
        for _ in 0..<600 {
            switch Int.random(in: 0..<14, using: &generator) {
            case 0, 1, 2:
                let times = UInt64.random(in: 1...3, using: &generator)
                harness.read("f\(Int.random(in: 0..<3, using: &generator))", times: times)
                reads += times
                harness.send(.readsWaiting)
            case 3, 4: if harness.track() { events += 1 }
            case 5: calls.append(harness.flush(timeout: Double.random(in: 0...40, using: &generator)))
            case 6:
                if let call = calls.randomElement(using: &generator) { harness.send(.abandon(call)) }
            case 7:
                harness.send(.contextSet(FlagContext(key: "u\(Int.random(in: 0..<3, using: &generator))")))
            case 8: harness.send(.background)
            case 9: harness.send(.foreground)
            case 10: harness.isStuck = true
            case 11: harness.work()
            default:
                guard let batch = harness.open.values.first else {
                    harness.advance(by: Double.random(in: 0...70, using: &generator))
                    break
                }
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: harness.answer(500)
                case 1: harness.answer(429, retryAfter: "40")
                case 2: harness.answer(.failed("no network"))
                case 3: harness.advance(by: 20)
                case 4:
                    // It arrives, and the answer is lost.
                    note(batch, &arrived)
                    harness.answer(.failed("the connection broke"))
                default:
                    note(batch, &arrived)
                    harness.answer(202)
                }
            }
        }
        // The network is well again, and the app can be seen.
        harness.work()
        harness.send(.foreground)
        for _ in 0..<50 {
            harness.advance(by: 61)
            while let batch = harness.open.values.first {
                note(batch, &arrived)
                harness.answer(202)
            }
        }
        let last = harness.flush(timeout: .infinity)
        while let batch = harness.open.values.first {
            note(batch, &arrived)
            harness.answer(202)
        }
        #expect(harness.results[last] == true)
        #expect(arrived.values.map(\.readCount).reduce(0, +) == reads)
        #expect(arrived.values.map(\.eventCount).reduce(0, +) == events)
        #expect(harness.queue.ids == [])
        #expect(!harness.activity)
        for call in calls { #expect(harness.results[call] != nil) }
    }

    @Test(arguments: 0..<40) func everyLifeEndsWithinItsBound(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed) &* 104_729 &+ 5)
        let harness = TelemetryHarness { $0.isToldOfReads = seed % 2 == 0 }
        if seed % 5 != 0 { harness.start() }
        var calls: [Int] = []
        for _ in 0..<Int.random(in: 0...60, using: &generator) {
            switch Int.random(in: 0..<9, using: &generator) {
            case 0: harness.read()
            case 1: harness.track()
            case 2: calls.append(harness.flush())
            case 3: harness.send(.background)
            case 4: harness.send(.foreground)
            case 5: harness.isStuck = true
            case 6: harness.work()
            case 7: harness.advance(by: Double.random(in: 0...70, using: &generator))
            default:
                let statuses = [200, 202, 400, 500, 503, 401]
                if !harness.open.isEmpty { harness.answer(statuses.randomElement(using: &generator) ?? 200) }
            }
        }
        let close = harness.close()
        if seed % 3 == 0 { harness.send(.release) }
        harness.advance(by: 5)
        #expect(harness.results[close] == true)
        #expect(harness.isFinished)
        #expect(harness.open.isEmpty)
        #expect(harness.timers.isEmpty)
        #expect(!harness.activity)
        for call in calls { #expect(harness.results[call] != nil) }
        // What comes late changes nothing.
        harness.work()
        harness.send(.contextSet(FlagContext(key: "late")))
        harness.send(.foreground)
        harness.send(.readsWaiting)
        #expect(harness.open.isEmpty)
        #expect(harness.timers.isEmpty)
        #expect(!harness.isCounting)
    }

    private func note(_ batch: OutgoingBatch, _ arrived: inout [String: TelemetryBatch]) {
        guard let decoded = try? TelemetryBatch.decode(batch.bytes) else {
            Issue.record("a batch that no service takes")
            return
        }
        if let former = arrived.updateValue(decoded, forKey: batch.id) { #expect(former == decoded) }
    }
}
