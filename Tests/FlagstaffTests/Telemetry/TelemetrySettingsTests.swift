import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite struct TelemetrySettingsTests {
    @Test func defaultsAreThoseOfThePolicy() {
        let settings = TelemetrySettings(.standard, app: FlagAppInfo(name: "Shop", version: "1"))
        #expect(settings.flushInterval == 60)
        #expect(settings.firstFlush == 60)
        #expect(settings.timeout == 15)
        #expect(settings.retainedBatches == 5)
        #expect(settings.retainedBytes == 524_288)
        #expect(settings.retainedAge == 300)
        #expect(settings.maximumSummaries == 100_000)
        #expect(settings.contexts == .shapes)
        #expect(settings.app == .init(name: "Shop", version: "1"))
        #expect(!settings.isServiceNamed)
    }

    @Test(arguments: [0.0, -1, .nan, -.infinity]) func whatMakesNoSenseCountsAsTheDefault(number: Double) {
        var policy = FlagTelemetryPolicy()
        policy.flushInterval = number
        policy.timeout = number
        policy.maxRetainedAge = number
        policy.maxRetainedBatches = 0
        policy.maxRetainedBytes = -1
        policy.maxSummaries = 0
        policy.maxEvents = 0
        policy.maxEventsPerBatch = -5
        let settings = TelemetrySettings(policy, app: FlagAppInfo())
        let standard = TelemetrySettings(.standard, app: FlagAppInfo())
        #expect(settings.flushInterval == standard.flushInterval)
        #expect(settings.timeout == standard.timeout)
        #expect(settings.retainedAge == standard.retainedAge)
        #expect(settings.retainedBatches == standard.retainedBatches)
        #expect(settings.retainedBytes == standard.retainedBytes)
        #expect(settings.maximumSummaries == standard.maximumSummaries)
        #expect(settings.maximumEvents == standard.maximumEvents)
        #expect(settings.eventsPerBatch == standard.eventsPerBatch)
    }

    @Test func numbersWithoutEndAreBounded() {
        var policy = FlagTelemetryPolicy()
        policy.flushInterval = .infinity
        policy.firstFlush = 5
        policy.maxEventsPerBatch = .max
        policy.maxEvents = .max
        let settings = TelemetrySettings(
            policy, app: FlagAppInfo(name: String(repeating: "é", count: 10_000)))
        #expect(settings.flushInterval == 365 * 86400)
        #expect(settings.firstFlush == 5)
        #expect(settings.eventsPerBatch == 1_000)
        #expect(settings.maximumEvents == 1_000_000)
        #expect(settings.app.name.utf8.count <= 260)
    }

    @Test func eventsNameTheSubjectWhereThatIsWanted() {
        var settings = TelemetrySettings()
        let context = FlagContext(key: "user-123")
        #expect(settings.targetingKey(of: context) == nil)
        settings.identifiesEvents = true
        #expect(settings.targetingKey(of: context) == "user-123")
        settings.privateAttributes = ["targetingKey"]
        #expect(settings.targetingKey(of: context) == nil)
        settings.privateAttributes = []
        settings.identifiesEvents = false
        settings.contexts = .examples
        #expect(settings.targetingKey(of: context) == "user-123")
        #expect(settings.targetingKey(of: FlagContext()) == nil)
    }

    @Test func appInfoComesFromTheProcessWithoutABundle() {
        #expect(!FlagAppInfo.main.name.isEmpty)
    }
}
