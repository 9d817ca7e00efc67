import AbrovaFlags

let flags = AbrovaFlags(
    config: AbrovaFlagsConfig(
        apiKey: "ab_live_xxx",
        environment: "production"  // nil uses the Default values
    ))
flags.start()
let ready = await flags.waitUntilReady(timeout: 0.1)
let d = flags.stringDetail("theme", default: "light")
print(ready, flags.isEnabled("new-checkout"), d.value, d.reason == .notReady)
flags.close()
