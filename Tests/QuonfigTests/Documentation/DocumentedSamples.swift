import Quonfig

// The samples of the SDK's documentation as they stand there: that this file compiles is the test. What they do is tested
// in `DocumentedSamplesTests` and in the suites of each subject.

enum DocumentedSamples {
    static func initialize() async throws -> Quonfig {
        let quonfig = try await Quonfig.initialize(
            context: QuonfigContext([
                "user": ["key": .string("u_123"), "email": .string("a@example.com")],
                "device": ["mobile": .bool(true)],
            ]),
            options: .init(
                sdkKey: "YOUR_FRONTEND_SDK_KEY",
                domain: "quonfig.com"  // one knob for api + telemetry hosts
            )
        )
        return quonfig
    }

    static func read(_ quonfig: Quonfig) -> String {
        let on = quonfig.isEnabled("new-checkout")  // Bool
        let color = quonfig.string("button-color", default: "blue")  // String
        let limit = quonfig.int("rate-limit", default: 100)  // Int
        let ratio = quonfig.double("sample-ratio", default: 0.1)  // Double
        let pricing = quonfig.json("pricing")  // [String: Any]?

        // Full resolution details (value + reason + variant), for experiments/telemetry.
        let details = quonfig.details("checkout-experiment")
        return "\(on) \(color) \(limit) \(ratio) \(pricing?.count ?? -1) \(details.reason.rawValue)"
    }

    static func update(_ quonfig: Quonfig) async throws {
        try await quonfig.updateContext(
            QuonfigContext(["user": ["key": .string("u_456"), "email": .string("b@example.com")]])
        )
    }

    static func subscribe(_ quonfig: Quonfig) async -> SubscriptionToken {
        let token = await quonfig.subscribe {
            // re-read flags here and update your UI
        }
        // Hold the token; dropping it unsubscribes.
        return token
    }

    static func log(_ quonfig: Quonfig, count: Int, userID: String, err: any Error) {
        let log = QuonfigLogger(quonfig: quonfig, loggerKey: "log-level.my-app")

        log.trace("entering render")
        log.debug("cache warm: \(count) entries")  // suppressed unless level <= DEBUG
        log.info("signed in as \(userID)")
        log.warn("retrying after \(err)")
        log.error("checkout failed: \(err)")
    }

    static func gate(_ quonfig: Quonfig) -> Bool {
        if quonfig.shouldLog(.debug, loggerKey: "log-level.my-app") { /* … */ return true }
        return false
    }

    struct MySink: QuonfigLogSink {
        func emit(level: QuonfigLogLevel, message: String) { /* forward anywhere */  }
    }

    static func bridge(_ quonfig: Quonfig) -> QuonfigLogger {
        let log = QuonfigLogger(quonfig: quonfig, loggerKey: "log-level.my-app", sink: MySink())
        return log
    }

    static func probe(_ quonfig: Quonfig) -> Bool {
        let v = quonfig.isEnabled("new-checkout", logExposure: false)
        return v
    }

    static func end(_ quonfig: Quonfig) async {
        await quonfig.shutdown()  // stops polling + telemetry, sending one last window (~5s max)
    }
}
