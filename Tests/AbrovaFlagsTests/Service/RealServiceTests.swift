import FaultProxy
import FlagModel
import FlagstaffTesting
import ServiceStage
import Foundation
import Testing

@testable import AbrovaFlags

/// The whole way: an app's client, a network that misbehaves, the service, and `UserDefaults`.
@Suite(.timeLimit(.minutes(1))) struct RealServiceTests {
    /// Flags in flagd's form: one of each type, one that tells whom it is for, and two rollouts.
    private static func flags(dark: Bool = true) -> [String: FlagValue] {
        [
            "dark-mode": [
                "state": "ENABLED", "variants": ["on": true, "off": false],
                "defaultVariant": dark ? "on" : "off",
            ],
            "theme": [
                "state": "ENABLED", "variants": ["day": "light", "night": "dark"], "defaultVariant": "night",
                "metadata": ["version": 4],
            ],
            "home-layout": [
                "state": "ENABLED", "variants": ["wide": ["columns": 3]], "defaultVariant": "wide",
            ],
            "pro-only": [
                "state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "off",
                "targeting": ["if": [["==": [["var": "plan"], "pro"]], "on"]],
            ],
            "signed-in": [
                "state": "ENABLED", "variants": ["yes": "yes", "no": "no"], "defaultVariant": "yes",
                "targeting": ["if": [["var": "anonymous"], "no", "yes"]],
            ],
            "retired": [
                "state": "DISABLED", "variants": ["on": true, "off": false], "defaultVariant": "on",
            ],
            "rollout": [
                "state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "off",
                "targeting": ["fractional": [["on", 10], ["off", 90]]],
            ],
        ]
    }

    @Test func readsWhatTheServiceEvaluates() async throws {
        try await AppStage.with(Self.flags()) { stage in
            let flags = stage.launch(stage.config())
            flags.identify("user-123", attributes: ["plan": "pro"])
            flags.start()
            #expect(await flags.waitUntilReady(timeout: 10))
            #expect(flags.isEnabled("dark-mode"))
            #expect(
                flags.stringDetail("theme", default: "light")
                    == FlagDetail(
                        value: "dark", enabled: true, variant: "night", reason: "VARIANT", version: 4))
            #expect(flags.getJson("home-layout", default: [:])["columns"] as? Int == 3)
            #expect(flags.booleanDetail("pro-only", default: false).reason == .on)
            #expect(flags.getString("signed-in", default: "-") == "yes")
            #expect(flags.getDetail("retired", default: 0).reason == .off)
            #expect(!flags.isEnabled("retired"))
            flags.setAttributes(["plan": "free"])
            #expect(await flags.refresh())
            #expect(flags.booleanDetail("pro-only", default: true).reason == .default)
            flags.setUserId(nil)
            #expect(await flags.refresh())
            #expect(flags.getString("signed-in", default: "-") == "no")
            await stage.quit(flags)
        }
    }

    @Test func rolloutsReachTheirShareOfSignedOutInstallations() async throws {
        try await AppStage.with(Self.flags()) { stage in
            let flags = try stage.launchWithoutPause(stage.config())
            flags.start()
            #expect(await flags.waitUntilReady(timeout: 10))
            var share = 0
            for _ in 0..<100 {
                flags.resetAnonymousId()
                #expect(await flags.client.setContext(flags.client.context).isFresh)
                if flags.isEnabled("rollout") { share += 1 }
            }
            #expect((1...30).contains(share))
            await stage.quit(flags)
        }
    }

    @Test func addressThatHangsHoldsNothingUp() async throws {
        try await AppStage.with(Self.flags()) { stage in
            stage.proxy.setRules([FaultRule(.ignore)])
            let flags = stage.launch(stage.config(timeout: 0.3))
            let recorder = EventRecorder(flags)
            let start = ContinuousClock.now
            flags.start()
            #expect(!flags.getBoolean("dark-mode", default: false))
            #expect(await !flags.waitUntilReady(timeout: 0.2))
            #expect(ContinuousClock.now - start < .seconds(3))
            guard case .error(let error)? = try await recorder.events.next() else {
                Issue.record("the first event is no error")
                return
            }
            #expect(error.kind == .timeout)
            // It finds its way by itself once the network does what it should.
            await stage.proxy.lift()
            await stage.proxy.cutConnections(.reset)
            #expect(await flags.waitUntilReady(timeout: 20))
            #expect(flags.isEnabled("dark-mode"))
            await stage.quit(flags)
        }
    }

    @Test func unchangedValuesAreNotSentAgain() async throws {
        try await AppStage.with(Self.flags()) { stage in
            let flags = stage.launch(stage.config())
            let recorder = EventRecorder(flags)
            flags.start()
            #expect(await flags.waitUntilReady(timeout: 10))
            // What would come in an answer with a body is cut: without one, nothing is.
            stage.proxy.setRules([FaultRule(.cut(at: .content(0), .reset))])
            #expect(await flags.refresh())
            await stage.proxy.lift()
            try stage.publish(Self.flags(dark: false))
            #expect(await flags.refresh())
            #expect(!flags.isEnabled("dark-mode"))
            let events = try await recorder.events.elements { $0 != .ready }
            #expect(events == [.ready, .updated(changedKeys: ["dark-mode"])])
            await stage.quit(flags)
        }
    }

    @Test func offlineRestartServesTheSameUserAndNobodyElse() async throws {
        try await AppStage.with(Self.flags()) { stage in
            var flags = stage.launch(stage.config())
            flags.identify("user-1", attributes: ["plan": "pro"])
            flags.start()
            #expect(await flags.waitUntilReady(timeout: 10))
            let id = flags.anonymousId
            await stage.quit(flags)
            let stored = try stage.defaults.entries().map { try stage.defaults.read($0.name) ?? [] }
            #expect(!stored.contains { String(decoding: $0, as: UTF8.self).contains(ServiceStage.key) })

            await stage.proxy.closePort()
            flags = stage.launch(stage.config())
            flags.start()
            #expect(await flags.waitUntilReady(timeout: 10))
            #expect(flags.isEnabled("dark-mode") && flags.isEnabled("pro-only"))
            #expect(await !flags.refresh())
            #expect(flags.anonymousId == id)
            await stage.quit(flags)

            flags = stage.launch(stage.config())
            flags.identify("user-2", attributes: ["plan": "pro"])
            flags.start()
            #expect(await !flags.refresh())
            #expect(!flags.isReady)
            #expect(flags.booleanDetail("dark-mode", default: false).reason == .notReady)
            await stage.quit(flags)
        }
    }

    @Test func newUserNeverGetsTheAnswerThatIsOnItsWay() async throws {
        try await AppStage.with(Self.flags()) { stage in
            let flags = stage.launch(stage.config())
            flags.identify("user-1", attributes: ["plan": "pro"])
            flags.start()
            #expect(await flags.waitUntilReady(timeout: 10))
            try stage.publish(Self.flags(dark: false))
            stage.proxy.setRules([FaultRule(.hold(at: .start, gate: "poll"))])
            async let isCurrent = flags.refresh()
            await stage.proxy.wait { $0.requests >= 2 }
            flags.identify("user-2", attributes: ["plan": "free"])
            #expect(await !isCurrent)
            #expect(!flags.isReady)
            await stage.proxy.lift()
            await stage.proxy.release("poll")
            #expect(await flags.waitUntilReady(timeout: 10))
            #expect(flags.booleanDetail("pro-only", default: true).reason == .default)
            await stage.quit(flags)
        }
    }

    @Test func wrongKeyIsRefusedUntilAskedAgain() async throws {
        try await AppStage.with(Self.flags()) { stage in
            let flags = stage.launch(stage.config(key: "wrong"))
            let recorder = EventRecorder(flags)
            flags.start()
            guard case .error(let error)? = try await recorder.events.next() else {
                Issue.record("the first event is no error")
                return
            }
            #expect(error.kind == .unauthorized && error.statusCode == 401)
            #expect(await !flags.waitUntilReady(timeout: 10))
            #expect(await !flags.refresh())
            await stage.quit(flags)
        }
    }
}
