import Quonfig

let quonfig = try await Quonfig.initialize(
    context: QuonfigContext([
        "user": ["key": .string("u_123"), "email": .string("a@example.com")],
        "device": ["mobile": .bool(true)],
    ]),
    options: .init(
        sdkKey: "YOUR_FRONTEND_SDK_KEY",
        domain: "quonfig.com"  // one knob for api + telemetry hosts
    ),
    initTimeout: 0.1
)
let token = await quonfig.subscribe {
    // re-read flags here and update your UI
}
print(quonfig.isReady, quonfig.isEnabled("new-checkout"), quonfig.details("checkout-experiment").variant)
token.cancel()
await quonfig.shutdown()
