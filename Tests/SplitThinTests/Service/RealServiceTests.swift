import FaultProxy
import FlagModel
import FlagService
import Flagstaff
import Foundation
import ServiceStage
import Testing

@testable import SplitThin

/// The whole way: an app's factory, a network that misbehaves, and the service.
@Suite(.timeLimit(.minutes(2))) struct RealServiceTests {
    private static func flags(_ variant: String = "visa") -> [String: FlagValue] {
        [
            "card": [
                "state": "ENABLED", "variants": ["visa": ["color": "red"], "amex": ["color": "blue"]],
                "defaultVariant": .string(variant), "metadata": ["flagSetId": "frontend", "version": 7],
            ],
            "other": .flag("x", metadata: ["flagSetId": "backend"]),
            "is-pro": .flag(onIf: ["==": [["var": "plan"], "pro"]]),
            "is-known": .flag(onIf: ["==": [["var": "targetingKey"], "a|b/ä%+"]]),
            "place": [
                "state": "ENABLED", "variants": ["a": "a", "b": "b", "c": "c", "d": "d"],
                "defaultVariant": "a",
                "targeting": [
                    "fractional": [
                        ["cat": [["var": "$flagd.flagKey"], ["var": "bucketingKey"]]],
                        ["a", 25], ["b", 25], ["c", 25], ["d", 25],
                    ]
                ],
            ],
        ]
    }

    private func factory(
        _ stage: ServiceStage, _ target: Target = Target(matchingKey: "user", trafficType: "user"),
        key: String = ServiceStage.key, _ change: (SplitConfigBuilder) -> SplitConfigBuilder = { $0 }
    ) throws -> any SplitFactory {
        let config = change(
            SplitClientConfig.builder()
                .set(
                    serviceEndpoints: ServiceEndpoints.builder().set(sdkEndpoint: stage.url.absoluteString)
                        .build()
                )
                .set(prefix: "test_" + UUID().uuidString.filter { $0 != "-" }).set(configsEnabled: true))
        return try #require(
            DefaultSplitFactoryBuilder().setSdkKey(SdkKey(key)).setTarget(target).setConfig(config.build())
                .build())
    }

    @Test(arguments: [SyncMode.streaming, .polling, .singleSync])
    func readsWhatTheServiceEvaluates(mode: SyncMode) async throws {
        try await ServiceStage.with(Self.flags()) { stage in
            let target = Target(matchingKey: "user", attributes: ["plan": "pro"], trafficType: "user")
            let factory = try factory(stage, target) { $0.set(syncMode: mode) }
            let client = factory.getClient()
            await client.ready()
            #expect(
                client.getTreatment(flag: "card")
                    == EvaluationResult(
                        flag: "card", treatment: "visa", config: #"{"color":"red"}"#, changeNumber: 7,
                        flagSets: ["frontend"]))
            #expect(client.getTreatment(flag: "is-pro").treatment == "on")
            #expect(client.getTreatment(flag: "nowhere").treatment == "control")
            #expect(factory.manager().getFlagNames() == ["card", "is-known", "is-pro", "other", "place"])
            await factory.destroy()
        }
    }

    @Test func changesArePushedAndAStreamThatIsCutComesBack() async throws {
        try await ServiceStage.with(Self.flags()) { stage in
            let factory = try factory(stage)
            let client = factory.getClient()
            let recorder = await client.ready()
            try stage.publish(Self.flags("amex"))
            await recorder.wait(for: 3)
            #expect(recorder.stories.last == "update card")
            #expect(client.getTreatment(flag: "card").treatment == "amex")
            await stage.proxy.cutConnections(.reset, path: "/evaluations")
            try stage.publish(Self.flags("visa"))
            await recorder.wait(for: 4)
            #expect(client.getTreatment(flag: "card").treatment == "visa")
            await factory.destroy()
        }
    }

    @Test func aRefusedStreamIsPolledAround() async throws {
        let refusal = Fault.answer(
            Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8), then: nil)
        try await ServiceStage.with(Self.flags(), [FaultRule(refusal, path: "/evaluations")]) { stage in
            let factory = try factory(stage)
            let recorder = await factory.getClient().ready()
            #expect(recorder.stories == ["fromCache initial", "ready"])
            await factory.destroy()
        }
    }

    @Test func onlyTheSetsThatAreAskedForAreThere() async throws {
        try await ServiceStage.with(Self.flags()) { stage in
            let factory = try factory(stage) {
                $0.set(evaluationFilters: EvaluationFilters(flagSets: ["Frontend"]))
            }
            let client = factory.getClient()
            await client.ready()
            #expect(factory.manager().getFlagNames() == ["card"])
            #expect(client.getTreatmentsByFlagSets(flagSets: ["frontend"]).map(\.flag) == ["card"])
            #expect(client.getTreatment(flag: "other").treatment == "control")
            await factory.destroy()
        }
    }

    @Test func rolloutsFollowTheBucketingKeyAndRulesTheMatchingKey() async throws {
        try await ServiceStage.with(Self.flags()) { stage in
            let factory = try factory(stage)
            var places: Set<String> = []
            for number in 0..<12 {
                let bucket = "bucket-\(number % 6)"
                let client = factory.getClient(
                    Target(matchingKey: "user-\(number)", bucketingKey: bucket, trafficType: "user"))
                await client.ready()
                let alone = factory.getClient(Target(matchingKey: bucket, trafficType: "user"))
                await alone.ready()
                let place = client.getTreatment(flag: "place").treatment
                #expect(place == alone.getTreatment(flag: "place").treatment)
                places.insert(place)
                await client.destroy()
            }
            #expect(places.count > 1)
            let odd = factory.getClient(
                Target(matchingKey: "a|b/ä%+", bucketingKey: "b", trafficType: "user"))
            await odd.ready()
            #expect(odd.getTreatment(flag: "is-known").treatment == "on")
            await factory.destroy()
        }
    }

    @Test func anUnknownKeyTimesOutAndNothingCrashes() async throws {
        try await ServiceStage.with(Self.flags()) { stage in
            let factory = try factory(stage, key: "nobody's")
            let recorder = Recorder()
            factory.getClient().addEventListener(recorder)
            await recorder.wait(for: 1)
            #expect(recorder.stories == ["timedOut"])
            #expect(factory.getClient().getTreatment(flag: "card").treatment == "control")
            await factory.destroy()
        }
    }

    @Test func trackedEventsArriveWithFlushAndDestroy() async throws {
        try await ServiceStage.with(Self.flags()) { stage in
            let factory = try factory(stage)
            let client = factory.getClient()
            await client.ready()
            #expect(client.track(eventType: "checkout", value: 1, properties: nil))
            await client.flush()
            #expect(stage.reports?.events == 1)
            #expect(client.track(eventType: "left", value: nil, properties: nil))
            await factory.destroy()
            #expect(stage.reports?.events == 2)
        }
    }

    @Test func oneClientsEndLeavesItsSiblingAlone() async throws {
        try await ServiceStage.with(Self.flags()) { stage in
            let factory = try factory(stage)
            let user = factory.getClient()
            let account = factory.getClient(Target(matchingKey: "acme", trafficType: "account"))
            let recorder = await account.ready()
            await user.ready()
            await user.destroy()
            try stage.publish(Self.flags("amex"))
            await recorder.wait(for: 3)
            #expect(account.getTreatment(flag: "card").treatment == "amex")
            await factory.destroy()
        }
    }
}
