import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(1))) struct EffectPerformerTests {
    /// A time whose timers fire before they are set.
    private struct HastyTime: TimeSource {
        struct Spent: ScheduledTimer {
            func cancel() {}
        }

        func now() -> Moment { Moment(uptime: 0, wall: 0, random: 0) }

        func schedule(after delay: Double, _ body: @escaping @Sendable () -> Void) -> any ScheduledTimer {
            body()
            return Spent()
        }
    }

    private func configuration() throws -> FlagClientConfiguration {
        var configuration = FlagClientConfiguration(endpoint: try #require(URL(string: "https://flags.test")))
        configuration.logger = SilentLogger()
        return configuration
    }

    private func performer(time: any TimeSource) throws -> EffectPerformer {
        let configuration = try configuration()
        return EffectPerformer(
            service: try ServiceAddress(configuration), settings: ConnectionSettings(configuration),
            transport: MemoryTransport(), time: time, logger: configuration.logger)
    }

    @Test func timersThatFiredAreForgotten() throws {
        let time = ManualTime()
        let performer = try performer(time: time)
        let reports = Recorder<Int>()
        for token in 1...10 {
            performer.perform(.perform(.schedule(.waiter(token), token: token, after: 1))) { _ in
                reports.record(token)
            }
        }
        #expect(performer.timerCount == 10)
        time.advance(by: 1)
        #expect(reports.elements.count == 10)
        #expect(performer.timerCount == 0)
    }

    @Test func timerThatFiresAtOnceIsForgotten() throws {
        let performer = try performer(time: HastyTime())
        let reports = Recorder<Int>()
        performer.perform(.perform(.schedule(.fetch, token: 1, after: 0))) { _ in reports.record(1) }
        #expect(reports.elements == [1])
        #expect(performer.timerCount == 0)
    }

    @Test func timerThatIsSetAnewFiresOnce() throws {
        let time = ManualTime()
        let performer = try performer(time: time)
        let reports = Recorder<Int>()
        for token in 1...3 {
            performer.perform(.perform(.schedule(.fetch, token: token, after: 1))) { _ in
                reports.record(token)
            }
        }
        #expect(performer.timerCount == 1)
        #expect(time.timerCount == 1)
        time.advance(by: 1)
        #expect(reports.elements == [3])
    }
}
