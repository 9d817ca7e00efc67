import FlagModel
import Flagstaff
import FlagstaffTesting
import Foundation
import Testing

@testable import SplitThin

/// A client from its start to its end, with the service in the hand of the test.
@Suite(.timeLimit(.minutes(1))) struct SplitClientTests {
    private let user = Target(matchingKey: "user", trafficType: "user")
    private let other = Target(matchingKey: "other", trafficType: "user")

    private func resolution(
        _ key: String, _ value: FlagValue?, _ variant: String?, metadata: [String: FlagValue] = [:]
    ) -> FlagResolution {
        FlagResolution(key: key, value: value, variant: variant, reason: .targetingMatch, metadata: metadata)
    }

    private func personal() -> Device {
        let device = Device()
        device.service.evaluate { context in
            [
                FlagResolution(
                    key: "who", value: .string(context.targetingKey ?? "-"), variant: nil, reason: .static)
            ]
        }
        return device
    }

    // MARK: Readiness

    @Test func coldWarmAndOfflineStarts() async {
        let device = Device(["a": true])
        let cold = device.factory()
        let first = await cold.getClient().ready()
        #expect(first.stories == ["fromCache initial", "ready"])
        await cold.destroy()
        let warm = device.factory()
        let second = await warm.getClient().ready()
        #expect(second.stories == ["fromCache dated", "ready cached"])
        await warm.destroy()
        device.service.isOffline = true
        let offline = device.factory()
        let third = Recorder()
        let client = offline.getClient()
        client.addEventListener(third)
        await third.wait(for: 1)
        #expect(client.getTreatment(flag: "a").treatment == "on")
        for _ in 0..<24 { await device.pass(0.5, client) }
        await third.wait(for: 2)
        #expect(third.stories == ["fromCache dated", "timedOut"])
        await offline.destroy()
    }

    @Test func aSlowServiceTimesOutAndReadinessFollows() async throws {
        let device = Device(["a": true])
        device.service.holdNextStart()
        let factory = device.factory()
        let client = factory.getClient()
        let recorder = Recorder()
        client.addEventListener(recorder)
        try await device.service.heldRequest(.start)
        await device.pass(10, client)
        await recorder.wait(for: 1)
        #expect(client.getTreatment(flag: "a").treatment == "control")
        device.service.isOffline = false
        for _ in 0..<40 where !recorder.stories.contains("ready") { await device.pass(1, client) }
        await recorder.wait(for: 3)
        #expect(recorder.stories == ["timedOut", "fromCache initial", "ready"])
        await factory.destroy()
    }

    @Test func withoutATimeOutNobodyHearsOfOne() async throws {
        let device = Device(["a": true])
        device.service.holdNextStart()
        let factory = device.factory(user, SplitClientConfig.builder().set(readyTimeout: -1).build())
        let client = factory.getClient()
        let recorder = Recorder()
        client.addEventListener(recorder)
        try await device.service.heldRequest(.start)
        device.service.completeStart()
        await recorder.wait(for: 2)
        #expect(recorder.stories == ["fromCache initial", "ready"])
        await factory.destroy()
    }

    @Test(arguments: [401, 403]) func aRefusalTimesOutAndIsLogged(status: Int) async {
        let device = Device(["a": true])
        device.service.fault = .status(status)
        let factory = device.factory()
        let recorder = Recorder()
        factory.getClient().addEventListener(recorder)
        await recorder.wait(for: 1)
        #expect(recorder.stories == ["timedOut"])
        #expect(device.log.entries.contains { $0.level == .error })
        #expect(factory.getClient().getTreatment(flag: "a").treatment == "control")
        await factory.destroy()
    }

    @Test func lateListenersHearOfThePastAndRemovedOnesOfNothing() async {
        let device = Device(["a": true])
        let factory = device.factory()
        let client = factory.getClient()
        await client.ready()
        let late = await client.ready()
        #expect(late.stories == ["fromCache initial", "ready"])
        client.addEventListener(late)
        client.removeEventListener(late)
        let witness = await client.ready()
        device.service.setValue(false, for: "a")
        await witness.wait(for: 3)
        #expect(witness.stories.last == "update a")
        #expect(late.stories.count == 2)
        await factory.destroy()
    }

    @Test func updatesAreToldWithTheirNames() async {
        let device = Device(["a": true, "b": true])
        let factory = device.factory()
        let client = factory.getClient()
        let recorder = await client.ready()
        device.service.setValue(false, for: "b")
        await recorder.wait(for: 3)
        device.service.removeValue(for: "a")
        await recorder.wait(for: 4)
        #expect(recorder.stories.suffix(2) == ["update b", "update a"])
        await factory.destroy()
    }

    // MARK: Targets

    @Test func anEqualTargetAndAnotherTrafficTypeAskForNothing() async {
        let device = Device(["a": true])
        let factory = device.factory(
            Target(matchingKey: "user", attributes: ["plan": "pro", "n": 1], trafficType: "user"))
        let client = factory.getClient()
        let recorder = await client.ready()
        let count = device.service.requests.count
        client.setTarget(
            target: Target(matchingKey: "user", attributes: ["n": 1, "plan": "pro"], trafficType: "user"))
        client.setTarget(
            target: Target(matchingKey: "user", attributes: ["n": 1, "plan": "pro"], trafficType: "account"))
        #expect(client.target.trafficType == "account")
        #expect(client.getTreatment(flag: "a").treatment == "on")
        #expect(device.service.requests.count == count)
        #expect(recorder.stories.count == 2)
        await factory.destroy()
    }

    @Test func anotherTargetDropsTheFormerValuesAtOnce() async throws {
        let device = personal()
        let factory = device.factory()
        let client = factory.getClient()
        let recorder = await client.ready()
        #expect(client.getTreatment(flag: "who").treatment == "user")
        device.service.holdNextContextChange()
        client.setTarget(target: other)
        #expect(client.getTreatment(flag: "who").treatment == "control")
        try await device.service.heldRequest(.contextChange)
        device.service.completeContextChange()
        await recorder.wait(for: 3)
        #expect(recorder.stories.last == "update who")
        #expect(client.getTreatment(flag: "who").treatment == "other")
        await factory.destroy()
    }

    @Test func overlappingSwitchesEndOnTheLast() async {
        let device = personal()
        let factory = device.factory()
        let client = factory.getClient()
        await client.ready()
        for number in 0..<200 {
            client.setTarget(target: Target(matchingKey: "user-\(number)", trafficType: "user"))
            let treatment = client.getTreatment(flag: "who").treatment
            #expect(["control", "user-\(number)"].contains(treatment))
        }
        while client.getTreatment(flag: "who").treatment != "user-199" { await Task.yield() }
        await factory.destroy()
    }

    @Test func clientsAreKeyedByTheirKeys() async {
        let device = personal()
        let factory = device.factory()
        let first = factory.getClient()
        #expect(factory.getClient() === first && factory.client === first)
        #expect(factory.getClient(nil) === first)
        let account = factory.getClient(Target(matchingKey: "acme", trafficType: "account"))
        #expect(account !== first)
        #expect(
            factory.getClient(Target(matchingKey: "acme", attributes: ["size": 3], trafficType: "account"))
                === account)
        #expect(account.target.attributes["size"] as? Int == 3)
        let bucketed = factory.getClient(
            Target(matchingKey: "acme", bucketingKey: "b", trafficType: "account"))
        #expect(bucketed !== account)
        await first.ready()
        await account.ready()
        await bucketed.ready()
        #expect(first.getTreatment(flag: "who").treatment == "user")
        #expect(account.getTreatment(flag: "who").treatment == "acme")
        #expect(factory.manager().getFlagNames() == ["who"])
        await account.destroy()
        #expect(account.getTreatment(flag: "who").treatment == "control")
        #expect(first.getTreatment(flag: "who").treatment == "user")
        #expect(factory.getClient(Target(matchingKey: "acme", trafficType: "account")) !== account)
        await factory.destroy()
        #expect(factory.manager().getFlagNames().isEmpty)
        #expect(factory.getClient().getTreatment(flag: "who").treatment == "control")
        while device.service.clientCount > 0 || !device.clock.pendingTimers.isEmpty { await Task.yield() }
    }

    // MARK: Evaluations

    @Test func treatmentsAreVariantsAndConfigsTheirDocuments() async {
        let device = Device()
        device.service.evaluate { _ in
            [
                FlagResolution(key: "plain", value: true, reason: .static),
                FlagResolution(
                    key: "off", value: false, variant: "off", reason: .static, metadata: ["version": 7]),
                FlagResolution(
                    key: "card", value: ["size": "L", "color": "red"], variant: "visa", reason: .split,
                    metadata: ["flagSetId": "frontend", "version": 1_700_000_000_000]),
                FlagResolution(
                    key: "text", value: "x", variant: "b", reason: .static, metadata: ["config": "{\"a\":1}"]),
                FlagResolution(key: "disabled", reason: .disabled),
                FlagResolution(key: "broken", reason: .error, errorCode: .general),
            ]
        }
        for hasConfig in [true, false] {
            let factory = device.factory(
                user,
                SplitClientConfig.builder().set(configsEnabled: hasConfig)
                    .set(
                        fallbackTreatments: FallbackTreatmentsConfig.builder().global("off")
                            .byFlag(["broken": FallbackTreatment(treatment: "safe", config: "{}")]).build()
                    ).build())
            let client = factory.getClient()
            await client.ready()
            #expect(client.getTreatment(flag: "plain") == EvaluationResult(flag: "plain", treatment: "on"))
            #expect(
                client.getTreatment(flag: "off")
                    == EvaluationResult(flag: "off", treatment: "off", changeNumber: 7))
            let card = client.getTreatment(flag: "card")
            #expect(card.treatment == "visa" && card.changeNumber == 1_700_000_000_000)
            #expect(card.config == (hasConfig ? #"{"color":"red","size":"L"}"# : nil))
            #expect(client.getTreatment(flag: "text").config == (hasConfig ? "{\"a\":1}" : nil))
            #expect(client.getTreatment(flag: "disabled").treatment == "off")
            #expect(client.getTreatment(flag: "broken").treatment == "safe")
            #expect(client.getTreatment(flag: "broken").config == (hasConfig ? "{}" : nil))
            #expect(
                client.getTreatments(flags: ["plain", "nowhere", "plain", ""]).map(\.treatment) == [
                    "on", "off", "on", "off",
                ])
            await factory.destroy()
            #expect(client.getTreatment(flag: "plain").treatment == "off")
        }
    }

    @Test func flagsOfSetsAreThoseThatAreHere() async {
        let device = Device()
        device.service.evaluate { _ in
            [
                FlagResolution(key: "b", value: true, reason: .static, metadata: ["flagSetId": "frontend"]),
                FlagResolution(key: "a", value: false, reason: .static, metadata: ["flagSetId": "mobile"]),
                FlagResolution(key: "c", value: true, reason: .static),
            ]
        }
        let factory = device.factory()
        let client = factory.getClient()
        await client.ready()
        #expect(
            client.getTreatmentsByFlagSets(flagSets: [" Frontend ", "frontend", "two words"]).map(\.flag) == [
                "b"
            ])
        #expect(client.getTreatmentsByFlagSets(flagSets: ["mobile", "frontend"]).map(\.flag) == ["a", "b"])
        #expect(device.log.entries.contains { $0.message.contains("two words") })
        await factory.destroy()
    }

    @Test func onlyTheNamedFlagsAreThere() async {
        let device = Device(["a": true, "b": true])
        let factory = device.factory(
            user,
            SplitClientConfig.builder().set(evaluationFilters: EvaluationFilters(flagNames: ["a"])).build())
        await factory.getClient().ready()
        #expect(factory.manager().getFlagNames() == ["a"])
        #expect(factory.getClient().getTreatment(flag: "b").treatment == "control")
        await factory.destroy()
    }

    // MARK: Tracking

    @Test func eventsAreSentWithFlushAndCountedOnce() async {
        let device = Device(["a": true])
        let factory = device.factory()
        let client = factory.getClient()
        await client.ready()
        #expect(
            client.track(
                eventType: "checkout", value: 49.99,
                properties: ["package": "premium", "admin": true, "n": 50]))
        await client.flush()
        let events = device.service.telemetry.flatMap(\.reportedEvents)
        #expect(events.map(\.name) == ["checkout"])
        #expect(events.first?.value == 49.99)
        #expect(
            events.first?.properties == ["package": "premium", "admin": true, "n": 50, "trafficType": "user"])
        await client.destroy()
        #expect(!client.track(eventType: "late", value: nil, properties: nil))
        #expect(device.service.telemetry.flatMap(\.reportedEvents).count == 1)
        await factory.destroy()
    }

    @Test func fiveThousandEventsGoOutByThemselves() async throws {
        let device = Device(["a": true])
        let factory = device.factory()
        let client = factory.getClient()
        await client.ready()
        let taken = (0..<5001).filter { client.track(eventType: "e\($0)", value: nil, properties: nil) }
        #expect(taken.count == 5001)
        await client.flush()
        let names = device.service.telemetry.flatMap(\.reportedEvents).map(\.name)
        #expect(names.count == 5001)
        #expect(Set(names).count == 5001)
        #expect(device.service.telemetry.allSatisfy { $0.reportedEvents.count <= 500 })
        await factory.destroy()
    }

    // MARK: The end

    @Test func destroyingDuringAStartLeavesNothing() async throws {
        let device = Device(["a": true])
        device.service.holdNextStart()
        let factory = device.factory()
        let recorder = Recorder()
        factory.getClient().addEventListener(recorder)
        try await device.service.heldRequest(.start)
        await factory.destroy()
        device.service.completeStart()
        while device.service.clientCount > 0 || !device.clock.pendingTimers.isEmpty { await Task.yield() }
        #expect(recorder.stories.isEmpty)
    }

    @Test func aClientOutlivesItsFactoryAndEndsWhenItIsLetGoOf() async {
        let device = Device(["a": true])
        var client: (any SplitClient)? = device.factory().getClient()
        await client?.ready()
        #expect(client?.getTreatment(flag: "a").treatment == "on")
        client = nil
        while device.service.clientCount > 0 || !device.clock.pendingTimers.isEmpty { await Task.yield() }
    }

    @Test func singleSyncAsksOnce() async {
        let device = Device(["a": true], delivery: .polling)
        let factory = device.factory(user, SplitClientConfig.builder().set(syncMode: .singleSync).build())
        let client = factory.getClient()
        await client.ready()
        await device.pass(86_400, client)
        #expect(device.service.requests.filter { !$0.kinds.contains(.telemetry) }.count == 1)
        await factory.destroy()
    }
}
