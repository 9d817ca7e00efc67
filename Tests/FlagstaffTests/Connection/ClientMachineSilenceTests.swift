import FlagModel
import Testing

@testable import Flagstaff

/// Streams that say nothing.
@Suite struct ClientMachineSilenceTests {
    @Test func silenceEndsAStreamOnlyAfterThreeHeartbeats() {
        var harness = MachineHarness()
        harness.startStreaming()
        for _ in 0..<100 {
            harness.advance(by: 15)
            harness.deliver(.activity)
        }
        #expect(harness.streams.count == 1)
        harness.advance(by: 44.9)
        #expect(harness.openStreams.count == 1)
        harness.advance(by: 0.2)
        #expect(harness.openStreams.isEmpty)
        #expect(harness.events.last?.error?.code == .timedOut)
        harness.advance(by: 1)
        #expect(harness.streams.count == 2)
    }

    @Test func streamThatNeverAnswersIsGivenUpAndPolledAround() {
        var harness = MachineHarness()
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1], etag: "e1", streams: [Answers.evaluationsStream]))
        harness.advance(by: 9.9)
        #expect(harness.openStreams.count == 1)
        harness.advance(by: 0.2)
        #expect(harness.openStreams.isEmpty)
        #expect(harness.events.last?.error?.code == .timedOut)
        harness.advance(by: 20)
        #expect(harness.fetchID != nil)
        harness.answer(.notModified)
        // It is tried again meanwhile, and has its own time each time.
        #expect(harness.streams.count > 1)
    }

    @Test func streamThatHasAnsweredHasTheTimeOfThreeHeartbeats() {
        var harness = MachineHarness()
        harness.startStreaming()
        harness.advance(by: 44)
        #expect(harness.streams.count == 1)
        #expect(harness.openStreams.count == 1)
    }
}
