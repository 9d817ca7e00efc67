import FlagModel
import Flagstaff
import FlagstaffTesting
import Foundation
import Testing

@testable import Quonfig

/// Starting, with and without a network, and with what the device has stored.
@Suite(.timeLimit(.minutes(1))) struct InitializingTests {
    private let ada = QuonfigContext(["user": ["key": "ada"]])
    private let bob = QuonfigContext(["user": ["key": "bob"]])

    @Test(arguments: ["", "  ", "\n"]) func aMissingKeyThrowsAndNothingElseDoes(key: String) async throws {
        await #expect(throws: QuonfigInitError.missingSDKKey) {
            try await Quonfig.initialize(sdkKey: key, context: ada, initTimeout: 0)
        }
        await #expect(throws: QuonfigInitError.missingSDKKey) {
            try await Quonfig.initialize(
                sdkKey: "key", context: ada, options: .init(sdkKey: key), initTimeout: 0)
        }
        await #expect(throws: QuonfigInitError.missingSDKKey) {
            try await Quonfig.initialize(context: ada, initTimeout: 0)
        }
        #expect(QuonfigInitError.missingSDKKey.localizedDescription.contains("sdkKey"))
    }

    @Test func itIsReadyEvenWithoutANetwork() async throws {
        let device = Device(["on": true])
        device.service.isOffline = true
        let quonfig = await device.ready()
        #expect(quonfig.isReady)
        #expect(!quonfig.isEnabled("on"))
        #expect(quonfig.details("on").reason == .error)
    }

    @Test func aHungNetworkEndsAtTheTimeLimit() async throws {
        let device = Device(["on": true])
        device.service.holdNextStart()
        let quonfig = device.launch()
        let start = Task { await quonfig.start(timeout: 5) }
        try await device.service.heldRequest(.start)
        await device.pass(5, quonfig)
        await start.value
        #expect(quonfig.isReady)
        #expect(!quonfig.isEnabled("on"))
        device.service.completeStart()
        #expect(quonfig.isEnabled("on"))
    }

    @Test func whatIsStoredIsServedWhereTheNetworkFailsOrIsLate() async throws {
        let device = Device(["on": true])
        await device.ready(ada).shutdown()
        device.service.isOffline = true
        let offline = await device.ready(ada)
        #expect(offline.isEnabled("on"))
        await offline.shutdown()
        let other = await device.ready(bob)
        #expect(!other.isEnabled("on"))
        await other.shutdown()
        device.service.isOffline = false
        device.service.holdNextStart()
        let late = device.launch(ada)
        let start = Task { await late.start(timeout: 5) }
        try await device.service.heldRequest(.start)
        #expect(late.isEnabled("on"))
        await device.pass(5, late)
        await start.value
        #expect(late.isEnabled("on"))
        await late.shutdown()
    }

    @Test func tenContextsAreStoredAndTheLeastRecentlyUsedGoesFirst() async throws {
        let device = Device(["on": true])
        for number in 0..<11 {
            let user = QuonfigContext(["user": ["key": .string("user-\(number)")]])
            await device.ready(user).shutdown()
            device.clock.advance(by: 1)
        }
        device.service.isOffline = true
        for number in 0..<11 {
            let quonfig = await device.ready(QuonfigContext(["user": ["key": .string("user-\(number)")]]))
            #expect(quonfig.isEnabled("on") == (number > 0), "\(number)")
            await quonfig.shutdown()
        }
    }

    @Test func nothingStoredTellsKeyOrUser() async throws {
        let device = Device(["on": true])
        let quonfig = await device.ready(
            QuonfigContext(["user": ["key": "u_secret", "email": "a@example.com"]]))
        _ = quonfig.isEnabled("on")
        await quonfig.shutdown()
        let entries = try device.storage.entries()
        #expect(!entries.isEmpty)
        for entry in entries {
            let text = entry.name + String(decoding: try device.storage.read(entry.name) ?? [], as: UTF8.self)
            #expect(!text.contains("secret-key"))
            #expect(!text.contains("u_secret"))
        }
    }

    @Test func malformedValuesCostNobodyElse() async throws {
        let device = Device()
        device.service.fault = .answer(
            status: 200, body: #"{"flags":[{"key":"on","value":true,"reason":"STATIC"},{"value":3},17]}"#)
        let quonfig = await device.ready()
        #expect(quonfig.isEnabled("on"))
    }
}
