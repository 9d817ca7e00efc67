import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite struct FlagClientConfigurationTests {
    @Test func clientIsMadeOrSaysWhatIsWrong() throws {
        _ = try FlagClient(.init(endpoint: try #require(URL(string: "http://127.0.0.1:1"))))
        let relative = try #require(URL(string: "flags.example.com"))
        let error = #expect(throws: FlagClientError.self) {
            _ = try FlagClient(.init(endpoint: relative, key: "k"))
        }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.errorDescription?.contains("https://") == true)
    }

    @Test(arguments: [-1, 0, .nan, 4.9, -.infinity])
    func intervalsHaveAFloor(interval: Double) throws {
        #expect(FlagSyncMode.polling(every: interval) == .polling(every: 5))
        var configuration = FlagClientConfiguration(endpoint: try #require(URL(string: "http://h")))
        configuration.fallbackInterval = interval
        configuration.requestTimeout = .nan
        let settings = ConnectionSettings(configuration)
        #expect(settings.fallbackInterval == 5)
        #expect(settings.requestTimeout == 0.1)
    }

    @Test func hugeIntervalsAreBounded() {
        #expect(FlagSyncMode.polling(every: 1e300) == .polling(every: 7 * 86400))
    }

    @Test func infiniteIntervalMeansNoPolls() {
        #expect(FlagSyncMode.polling(every: .infinity).description == "polling without an interval")
        var harness = MachineHarness(.polling(every: .infinity))
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.timers.isEmpty)
    }

    @Test func backOffNeverOverflows() {
        let settings = ConnectionSettings()
        #expect(settings.backoff(attempt: .max, random: 0.999) < settings.retryCap)
        #expect(settings.backoff(attempt: 0, random: 0.5) == 0.5)
        #expect(settings.backoff(attempt: -1, random: 0.5) == 0.5)
    }
}
