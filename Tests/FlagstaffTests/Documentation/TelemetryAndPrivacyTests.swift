import FlagModel
import Foundation
import Testing

@testable import Flagstaff

/// The report that the article "Telemetry and privacy" shows, made by the client.
@Suite(.timeLimit(.minutes(1))) struct TelemetryAndPrivacyTests {
    @Test func theReportOfTheArticleIsWhatIsSent() {
        let lines = #"""
            {"app":{"name":"Shop","version":"4.2"},
            "end":1800000060.0,
            "groups":[{"context":{"mode":"shape","shape":{"plan":"string","targetingKey":"string"}},
            "evaluations":[{"count":12,"flag":"new-checkout","reason":"TARGETING_MATCH",
            "valueID":"6f0c2b9d1e4a7835","variant":"on","version":"7"}],
            "events":[{"name":"checkout","properties":{"gift":false,"items":3},"time":1800000012.5,"value":49.99}]}],
            "id":"123e4567-e89b-42d3-a456-426614174000",
            "sdk":{"name":"flagstaff-swift","version":"0.1.0"},
            "start":1800000000.0}
            """#
        let settings = TelemetrySettings(.standard, app: FlagAppInfo(name: "Shop", version: "4.2"))
        let context = FlagContext(key: "user-123", attributes: ["plan": "pro"])
        var sampler = ExampleSampler()
        var window = TelemetryWindow(start: 0)
        window.add(
            [
                CountedRead(
                    key: "new-checkout", variant: "on", reason: .targetingMatch, valueID: "6f0c2b9d1e4a7835",
                    isDefault: false, version: "7", context: context, count: 12)
            ], settings, &sampler, now: 0)
        let event = TelemetryBatch.Event(
            checking: "checkout", 49.99, ["items": 3, "gift": false], time: 1_800_000_012.5)
        let isTaken = event.map { window.add($0, in: context, settings, &sampler, now: 0) }
        #expect(isTaken == true)
        let cut = TelemetryCut(window, at: Moment(uptime: 60, wall: 1_800_000_060, random: 0))
        let batches = cut.batches(settings) { "123e4567-e89b-42d3-a456-426614174000" }
        #expect(
            batches.map { String(decoding: $0.bytes, as: UTF8.self) } == [lines.filter { $0 != "\n" }])
    }
}
