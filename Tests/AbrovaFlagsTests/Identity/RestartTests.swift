import FlagModel
import FlagstaffTesting
import Foundation
import Testing

@testable import AbrovaFlags
@testable import Flagstaff

/// What a run of the app finds of the one before.
@Suite(.timeLimit(.minutes(1))) struct RestartTests {
    /// A device whose app was started by a user, with values on it, and is closed again.
    private func used(
        _ config: AbrovaFlagsConfig = AbrovaFlagsConfig(apiKey: Device.key)
    ) async -> Device {
        let device = Device(["dark-mode": true, "theme": "dark"])
        let flags = device.launch(config)
        flags.identify(
            "user-1", attributes: ["plan": "pro", "age": 31, "score": 1.0, "tags": ["a", nil] as [Any?]])
        flags.start()
        _ = await flags.waitUntilReady(timeout: 100)
        await device.quit(flags)
        device.service.clearRequests()
        return device
    }

    @Test func userAndAttributesAreRemembered() async throws {
        let device = await used()
        let flags = device.launch()
        flags.start()
        let context = try #require(try await device.requests(1)[0].context)
        #expect(context.targetingKey == "user-1")
        #expect(
            context.attributes == [
                "plan": "pro", "age": 31, "score": 1.0, "tags": ["a", nil],
                "anonymousId": .string(flags.anonymousId),
            ])
    }

    @Test func anonymousIDIsTheSameInEveryRunAndOnEveryDeviceAnother() async throws {
        let device = Device()
        let first = device.launch()
        let id = first.anonymousId
        #expect(UUID(uuidString: id) != nil)
        await device.quit(first)
        let second = device.launch()
        #expect(second.anonymousId == id)
        second.reset()
        #expect(second.anonymousId == id)
        second.resetAnonymousId()
        let other = second.anonymousId
        #expect(other != id)
        await device.quit(second)
        #expect(device.launch().anonymousId == other)
        #expect(Device().launch().anonymousId != other)
    }

    @Test func storedValuesAreServedBeforeTheNetworkAnswers() async throws {
        let device = await used()
        device.service.setValue("light", for: "theme")
        device.service.holdNextStart()
        let flags = device.launch()
        flags.start()
        #expect(await flags.waitUntilReady(timeout: 100))
        #expect(flags.getString("theme", default: "-") == "dark")
        let held = try await device.service.heldRequest(.start)
        // The service is told what is known, and can answer 304.
        #expect(held.headers["if-none-match"] != nil)
        device.service.completeStart()
        _ = await flags.refresh()
        #expect(flags.getString("theme", default: "-") == "light")
    }

    @Test func offlineTheSameUserHasTheLastValues() async throws {
        let device = await used()
        device.service.isOffline = true
        let flags = device.launch()
        // The app says again who the user is, which changes nothing.
        flags.identify(
            "user-1", attributes: ["age": 31, "plan": "pro", "score": 1.0, "tags": ["a", nil] as [Any?]])
        flags.start()
        #expect(await flags.waitUntilReady(timeout: 100))
        #expect(flags.getString("theme", default: "-") == "dark")
        #expect(flags.booleanDetail("dark-mode", default: false).reason == .on)
        #expect(await !device.refresh(flags))
        #expect(flags.getString("theme", default: "-") == "dark")
    }

    @Test func offlineAnotherUserHasNone() async throws {
        let device = await used()
        device.service.isOffline = true
        let flags = device.launch()
        flags.identify("user-2", attributes: ["plan": "pro", "age": 31])
        flags.start()
        _ = try await device.requests(1)
        #expect(flags.stringDetail("theme", default: "-").reason == .notReady)
        // Nor has the first one, who comes back: dropped is dropped.
        flags.identify(
            "user-1", attributes: ["plan": "pro", "age": 31, "score": 1.0, "tags": ["a", nil] as [Any?]])
        await device.pass(0.3, flags)
        _ = try await device.requests(2)
        #expect(flags.stringDetail("theme", default: "-").reason == .notReady)
        await device.quit(flags)
        #expect(try !device.stored.contains("dark-mode"))
    }

    @Test func userWhoSignsOutLeavesNothingOnTheDevice() async throws {
        let device = await used()
        device.service.isOffline = true
        let flags = device.launch()
        flags.reset()
        let id = flags.anonymousId
        await device.quit(flags)
        let stored = try device.stored
        #expect(!stored.contains("user-1") && !stored.contains("dark-mode") && !stored.contains("pro"))
        #expect(stored.contains(id))
        let next = device.launch()
        next.start()
        let context = try #require(try await device.requests(1)[0].context)
        #expect(context.targetingKey == id)
        #expect(context.attributes == ["anonymousId": .string(id)])
    }

    @Test func formerUsersValuesAreGoneAlsoWhereTheNewOnesNeverArrive() async throws {
        let device = await used()
        let flags = device.launch()
        flags.start()
        _ = await flags.waitUntilReady(timeout: 100)
        device.service.isOffline = true
        flags.setUserId("user-2")
        await device.quit(flags)
        #expect(try !device.stored.contains("dark-mode"))
        let next = device.launch()
        next.start()
        _ = try await device.requests(2)
        #expect(next.client.context.targetingKey == "user-2")
        #expect(next.stringDetail("theme", default: "-").reason == .notReady)
    }

    @Test func keyIsNeverStored() async throws {
        let device = await used()
        let stored = try device.stored
        #expect(stored.contains("user-1") && stored.contains("dark"))
        #expect(!stored.contains(Device.key))
    }

    @Test func clientsOfOtherKeysAndEnvironmentsShareTheInstallationOnly() async throws {
        let device = await used(AbrovaFlagsConfig(apiKey: Device.key, environment: "production"))
        device.service.isOffline = true
        for config in [
            AbrovaFlagsConfig(apiKey: Device.key),
            AbrovaFlagsConfig(apiKey: "ab_live_other", environment: "production"),
            AbrovaFlagsConfig(apiKey: Device.key, environment: "staging"),
        ] {
            device.service.clearRequests()
            let flags = device.launch(config)
            flags.start()
            let context = try #require(try await device.requests(1)[0].context)
            #expect(context.targetingKey == flags.anonymousId)
            #expect(!flags.isReady)
        }
    }

    @Test func failedRequestsNeverClearTheStoredValues() async throws {
        let device = await used()
        for fault in [TestFault.network, .status(500), .status(404), .unauthorized, .malformed] {
            device.service.fault = fault
            let flags = device.launch()
            flags.start()
            #expect(await flags.waitUntilReady(timeout: 100))
            #expect(await !device.refresh(flags))
            #expect(flags.getString("theme", default: "-") == "dark")
            await device.quit(flags)
        }
    }
}
