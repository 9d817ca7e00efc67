import Flagstaff
import FlagstaffTesting
import Foundation
import Testing

@testable import SplitThin

@Suite struct ConfigurationTests {
    private let log = FlagLogRecorder(level: .debug)
    private let target = Target(matchingKey: "user", trafficType: "user")

    private func native(_ config: SplitClientConfig) -> FlagClientConfiguration? {
        config.clientConfiguration(key: "key", logger: log)
    }

    @Test func defaultsAreTheDocumentedOnes() {
        let config = SplitClientConfig.builder().build()
        #expect(config.logLevel == .none)
        #expect(!config.configsEnabled)
        #expect(config.syncMode == .streaming)
        #expect(config.pollingRate == 3600 && config.pushRate == 1800 && config.readyTimeout == 10)
        #expect(config.prefix == nil && config.evaluationFilters == nil && config.serviceEndpoints == nil)
        let native = native(config)
        #expect(native?.sync == .streaming && native?.fallbackInterval == 3600)
        #expect(native?.telemetry.flushInterval == 1800)
    }

    @Test func lowRatesAreRaisedWithAWarning() {
        let config = SplitClientConfig.builder().set(syncMode: .polling).set(pollingRate: 10).set(pushRate: 5)
            .build()
        let native = native(config)
        #expect(native?.sync == .polling(every: 60))
        #expect(native?.telemetry.flushInterval == 30)
        #expect(log.entries.filter { $0.level == .warning && $0.message.contains("raised") }.count == 2)
    }

    @Test(arguments: [(10, 10.0), (3, 3), (-1, Double.infinity), (0, 10), (-7, 10)])
    func theTimeToGetReadyIsChecked(asked: Int, seconds: Double) {
        let config = SplitClientConfig.builder().set(readyTimeout: asked).build()
        #expect(ClientSettings(config, logger: log).readyTimeout == seconds)
    }

    @Test(arguments: [
        ("my_app", true), ("", false), ("a b", false), ("ä", false),
        (String(repeating: "a", count: 81), false),
    ])
    func prefixesAreChecked(prefix: String, isTaken: Bool) {
        let native = native(SplitClientConfig.builder().set(prefix: prefix).build())
        #expect((native?.storageName == prefix) == isTaken)
        #expect(log.entries.contains { $0.level == .error } != isTaken)
    }

    @Test func setsAreNormalized() {
        let filters = EvaluationFilters(flagSets: [" Frontend", "frontend", "", "two words", "größe"])
        let native = native(SplitClientConfig.builder().set(evaluationFilters: filters).build())
        #expect(native?.flagSets == ["frontend", "größe"])
        #expect(log.entries.contains { $0.level == .warning })
    }

    @Test func endpointsAreTakenAndChecked() {
        let endpoints = ServiceEndpoints.builder().set(sdkEndpoint: "https://flags.test/base")
            .set(eventsEndpoint: "https://events.test").set(streamingServiceEndpoint: "https://s.test")
            .build()
        let native = native(SplitClientConfig.builder().set(serviceEndpoints: endpoints).build())
        #expect(native?.endpoint.absoluteString == "https://flags.test/base")
        #expect(native?.telemetry.url?.absoluteString == "https://events.test/api/v1/telemetry")
        for bad in ["flags.test", "", "ftp://flags.test", "https://"] {
            for endpoints in [
                ServiceEndpoints.builder().set(sdkEndpoint: bad).build(),
                ServiceEndpoints.builder().set(authServiceEndpoint: bad).build(),
                ServiceEndpoints.builder().set(telemetryServiceEndpoint: bad).build(),
            ] {
                let config = SplitClientConfig.builder().set(serviceEndpoints: endpoints).build()
                #expect(
                    DefaultSplitFactoryBuilder().setSdkKey(SdkKey("key")).setTarget(target).setConfig(config)
                        .build() == nil)
            }
        }
    }

    @Test func buildGivesNilForWhatIsMissing() {
        #expect(DefaultSplitFactoryBuilder().build() == nil)
        #expect(DefaultSplitFactoryBuilder().setTarget(target).build() == nil)
        #expect(DefaultSplitFactoryBuilder().setSdkKey(SdkKey(" ")).setTarget(target).build() == nil)
        #expect(DefaultSplitFactoryBuilder().setSdkKey(SdkKey("key")).build() == nil)
        let empty = Target(matchingKey: " ", trafficType: "user")
        #expect(DefaultSplitFactoryBuilder().setSdkKey(SdkKey("key")).setTarget(empty).build() == nil)
        #expect(
            DefaultSplitFactoryBuilder().setSdkKey(SdkKey("line\nbreak")).setTarget(target).build() == nil)
    }

    @Test func invalidFallbacksArePassedOver() {
        let config = FallbackTreatmentsConfig.builder().global("not ok")
            .byFlag([
                "a": "on", "b": FallbackTreatment(treatment: ""), "two words": "off", "": "off", "c": "1.5.0",
                "d": "v.1",
                "e": FallbackTreatment(treatment: String(repeating: "x", count: 101)),
            ]).build()
        let (checked, errors) = config.checked
        #expect(checked.global == nil)
        #expect(checked.byFlag.keys.sorted() == ["a", "c"])
        #expect(errors.count == 6)
        #expect(checked.fallback(for: "b").treatment == "control")
    }

    @Test func attributesAreKeptOrDropped() {
        let target = Target(
            matchingKey: "user",
            trafficType: "user",
            attributes: [
                "text": "x", "n": 3, "ratio": 0.5, "on": true, "list": ["a", 1, true] as [Any],
                "big": Int64.max,
                "date": Date(), "map": ["a": 1], "nan": Double.nan, "inf": Double.infinity, "null": NSNull(),
                "mixed": ["a", Date()] as [Any],
            ])
        #expect(
            target.values == [
                "text": "x", "n": 3, "ratio": 0.5, "on": true, "list": ["a", 1, true], "big": .int(Int64.max),
            ])
        #expect(target.dropped == ["date", "inf", "map", "mixed", "nan", "null"])
    }

    @Test(
        arguments: [
            ("page_load", true), ("1-a_b.c:d", true), ("", false), ("-a", false), ("a b", false),
            ("ä", false),
            (String(repeating: "a", count: 80), true), (String(repeating: "a", count: 81), false),
        ])
    func eventTypesFollowTheirRule(name: String, isTaken: Bool) {
        #expect(((try? TrackedEvent(name, nil, [:], target)) != nil) == isTaken)
    }

    @Test func eventsAreChecked() throws {
        #expect(throws: TrackedEvent.Refusal.self) { try TrackedEvent("e", .infinity, [:], target) }
        let long = Target(matchingKey: String(repeating: "k", count: 251), trafficType: "user")
        #expect(throws: TrackedEvent.Refusal.self) { try TrackedEvent("e", nil, [:], long) }
        #expect(throws: TrackedEvent.Refusal.self) {
            try TrackedEvent("e", nil, [:], Target(matchingKey: "k", trafficType: ""))
        }
        let event = try TrackedEvent("e", 1, ["a": "x", "b": Date(), "c": 2.5], target)
        #expect(event.properties == ["a": "x", "b": nil, "c": 2.5, "trafficType": "user"])
    }

    @Test func keysAreComparedByBothParts() {
        #expect(Key(matchingKey: "a") == Key(matchingKey: "a"))
        #expect(Key(matchingKey: "a", bucketingKey: "b") != Key(matchingKey: "a"))
        #expect(
            Target(matchingKey: "a", trafficType: "u") == Target(key: Key(matchingKey: "a"), trafficType: "u")
        )
        #expect(
            Target(matchingKey: "a", attributes: ["n": 1], trafficType: "u")
                != Target(matchingKey: "a", trafficType: "u"))
        #expect(Target(matchingKey: "a", bucketingKey: "b", trafficType: "u").context.bucketingKey == "b")
        #expect(Target(matchingKey: "a", trafficType: "u").context.bucketingKey == "a")
    }
}
