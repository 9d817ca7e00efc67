import FlagLocking
import FlagModel
import FlagstaffTesting
import Foundation
import Testing

@testable import AbrovaFlags

/// What the specification says of users and attributes, sentence by sentence.
@Suite(.timeLimit(.minutes(1))) struct AbrovaFlagsIdentityTests {
    @Test func identifyBeforeStartGoesWithTheFirstRequest() async throws {
        let device = Device()
        let flags = device.launch()
        flags.identify("user-123", attributes: ["plan": "pro", "country": "IR", "beta": true, "age": 31])
        #expect(device.service.requests.isEmpty)
        flags.start()
        _ = await flags.waitUntilReady(timeout: 100)
        let requests = try await device.requests(1)
        #expect(requests.count == 1)
        let context = try #require(requests[0].context)
        #expect(context.targetingKey == "user-123")
        #expect(!context.isAnonymous)
        #expect(
            context.attributes == [
                "plan": "pro", "country": "IR", "beta": true, "age": 31,
                "anonymousId": .string(flags.anonymousId),
            ])
    }

    @Test func installationStandsInForTheUserWhileNobodyIsSignedIn() async throws {
        let device = Device()
        let flags = await device.ready()
        let context = try #require(try await device.requests(1)[0].context)
        #expect(context.targetingKey == flags.anonymousId)
        #expect(context.isAnonymous)
        #expect(context.attributes == ["anonymousId": .string(flags.anonymousId)])
    }

    @Test func severalCallsInARowSendOneRequest() async throws {
        let device = Device()
        let flags = await device.ready()
        flags.identify("user-1")
        await device.pass(0.1, flags)
        flags.setAttributes(["plan": "pro"])
        await device.pass(0.2, flags)
        flags.setUserId("user-2")
        flags.setAttributes(["plan": "business"])
        await device.pass(0.24, flags)
        flags.identify("user-3", attributes: ["plan": "free"])
        #expect(device.service.requests.count == 1)
        await device.pass(0.26, flags)
        let requests = try await device.requests(2)
        #expect(requests.count == 2)
        #expect(requests[1].context?.targetingKey == "user-3")
        #expect(requests[1].context?.attributes["plan"] == "free")
        await device.pass(3600, flags)
        #expect(device.service.requests.count == 2)
    }

    @Test func changeIsFetchedAfterAQuarterOfASecond() async throws {
        let device = Device()
        let flags = await device.ready()
        flags.identify("user-1")
        await device.pass(0.249, flags)
        #expect(device.service.requests.count == 1)
        await device.pass(0.002, flags)
        #expect(try await device.requests(2).count == 2)
    }

    @Test func callThatChangesNothingSendsNone() async throws {
        let device = Device()
        let flags = device.launch()
        flags.identify("user-1", attributes: ["plan": "pro", "age": 31])
        flags.start()
        _ = await flags.waitUntilReady(timeout: 100)
        flags.identify("user-1", attributes: ["age": 31, "plan": "pro"])
        flags.setUserId("user-1")
        flags.setAttributes(["plan": "pro", "age": 31])
        flags.start()
        await device.pass(3600, flags)
        #expect(device.service.requests.count == 1)
        #expect(flags.getBoolean("dark-mode", default: false))
    }

    @Test func attributesReplaceTheWholeSet() async throws {
        let device = Device()
        let flags = device.launch()
        flags.identify("user-1", attributes: ["plan": "pro", "country": "IR"])
        flags.start()
        _ = await flags.waitUntilReady(timeout: 100)
        flags.setAttributes(["plan": "business"])
        await device.pass(0.3, flags)
        var context = try #require(try await device.requests(2)[1].context)
        #expect(Set(context.attributes.keys) == ["plan", "anonymousId"])
        #expect(context.targetingKey == "user-1")
        flags.identify("user-1", attributes: ["age": 31])
        await device.pass(0.3, flags)
        context = try #require(try await device.requests(3)[2].context)
        #expect(Set(context.attributes.keys) == ["age", "anonymousId"])
        flags.identify("user-1")
        await device.pass(0.3, flags)
        context = try #require(try await device.requests(4)[3].context)
        #expect(Set(context.attributes.keys) == ["anonymousId"])
    }

    @Test func newUserLosesTheFormerOnesValuesAtOnce() async throws {
        let device = Device()
        let flags = device.launch()
        flags.identify("user-1")
        flags.start()
        _ = await flags.waitUntilReady(timeout: 100)
        #expect(flags.isEnabled("dark-mode"))
        flags.identify("user-2")
        #expect(!flags.isEnabled("dark-mode"))
        #expect(!flags.isReady)
        #expect(flags.booleanDetail("dark-mode", default: false).reason == .notReady)
        await device.pass(0.3, flags)
        _ = await flags.waitUntilReady(timeout: 100)
        #expect(flags.isEnabled("dark-mode"))
        // Signing in and out are changes of the user, too.
        flags.setUserId(nil)
        #expect(flags.booleanDetail("dark-mode", default: false).reason == .notReady)
    }

    @Test func valuesStayWhileOtherAttributesAreOnTheirWay() async throws {
        let device = Device()
        let flags = await device.ready()
        flags.setAttributes(["plan": "business"])
        #expect(flags.isEnabled("dark-mode") && flags.isReady)
        #expect(flags.booleanDetail("dark-mode", default: false).reason == .on)
        device.service.setValue(false, for: "dark-mode")
        await device.pass(0.3, flags)
        _ = try await device.requests(2)
        #expect(!flags.isEnabled("dark-mode"))
    }

    @Test func attributesStayWhenTheUserSignsOut() async throws {
        let device = Device()
        let flags = device.launch()
        flags.identify("user-1", attributes: ["plan": "pro"])
        flags.start()
        _ = await flags.waitUntilReady(timeout: 100)
        flags.setUserId(nil)
        await device.pass(0.3, flags)
        let context = try #require(try await device.requests(2)[1].context)
        #expect(context.targetingKey == flags.anonymousId)
        #expect(context.isAnonymous)
        #expect(context.attributes["plan"] == "pro")
    }

    @Test func resetClearsUserAttributesAndValues() async throws {
        let device = Device()
        let flags = device.launch()
        flags.identify("user-1", attributes: ["plan": "pro"])
        flags.start()
        _ = await flags.waitUntilReady(timeout: 100)
        let id = flags.anonymousId
        flags.reset()
        #expect(flags.booleanDetail("dark-mode", default: false).reason == .notReady)
        #expect(device.service.requests.count == 1)
        await device.pass(0.3, flags)
        let requests = try await device.requests(2)
        #expect(requests.count == 2)
        #expect(requests[1].context?.targetingKey == id)
        #expect(requests[1].context?.attributes == ["anonymousId": .string(id)])
        #expect(flags.anonymousId == id)
        _ = await flags.waitUntilReady(timeout: 100)
        #expect(flags.isEnabled("dark-mode"))
    }

    @Test func resetFetchesAlsoWhereNobodyWasSignedIn() async throws {
        let device = Device()
        let flags = await device.ready()
        flags.reset()
        #expect(!flags.isReady)
        await device.pass(0.3, flags)
        let requests = try await device.requests(2)
        #expect(requests[1].headers["if-none-match"] == nil)
    }

    @Test func newAnonymousIDIsFetchedFor() async throws {
        let device = Device()
        let flags = await device.ready()
        let former = flags.anonymousId
        flags.resetAnonymousId()
        #expect(flags.anonymousId != former)
        #expect(UUID(uuidString: flags.anonymousId) != nil)
        await device.pass(0.3, flags)
        let context = try #require(try await device.requests(2)[1].context)
        #expect(context.targetingKey == flags.anonymousId)
        #expect(context.attributes["anonymousId"] == .string(flags.anonymousId))
    }

    @Test func emptyUserIsNobody() async throws {
        let device = Device()
        let flags = await device.ready()
        flags.identify("")
        flags.setUserId("")
        await device.pass(3, flags)
        #expect(device.service.requests.count == 1)
    }

    @Test func droppedAttributesAreLogged() async throws {
        let device = Device()
        let flags = device.launch()
        flags.identify("user-1", attributes: ["plan": "pro", "born": Date()])
        flags.setAttributes(["photo": Data([1])])
        let messages = device.log.entries.filter { $0.level == .warning }.map(\.message)
        #expect(messages.contains { $0.contains("'born'") } && messages.contains { $0.contains("'photo'") })
    }

    @Test func whileAFetchIsUnderWayANewUserNeverGetsItsValues() async throws {
        let device = Device([:])
        device.service.evaluate { context in
            [FlagResolution(key: "who", value: .string(context.targetingKey ?? ""), reason: .static)]
        }
        let flags = device.launch(
            AbrovaFlagsConfig(apiKey: Device.key, refreshIntervalSeconds: 60))
        flags.identify("user-1")
        flags.start()
        _ = await flags.waitUntilReady(timeout: 100)
        device.service.holdNext(.update)
        await device.pass(67, flags)
        try await device.service.heldRequest(.update)
        flags.identify("user-2")
        device.service.complete(.update)
        #expect(
            flags.stringDetail("who", default: "-")
                == FlagDetail(value: "-", enabled: false, reason: "NOT_READY"))
        await device.pass(0.3, flags)
        _ = await flags.waitUntilReady(timeout: 100)
        #expect(flags.getString("who", default: "-") == "user-2")
        await device.quit(flags)
        let stored = try device.stored
        #expect(stored.contains("user-2") && !stored.contains("user-1"))
    }

    @Test func changesFromManyThreadsEndAlikeEverywhere() async throws {
        for _ in 0..<50 {
            let device = Device([:])
            let flags = device.launch()
            flags.start()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        flags.identify("user-\(number)", attributes: ["n": number])
                        flags.setAttributes(["n": number + 100])
                    }
                }
            }
            let identity = flags.memory.identity
            #expect(flags.client.context == identity.context(anonymousID: flags.anonymousId))
            #expect(flags.state.withLock { $0.identity } == identity)
        }
    }
}
