import AbrovaFlags

// The samples of the SDK's documentation as they stand there: that this file compiles is the test. What they do is tested
// in `DocumentedSamplesTests`.

enum DocumentedSamples {
    static func initialize() -> AbrovaFlags {
        let flags = AbrovaFlags(
            config: AbrovaFlagsConfig(
                apiKey: "ab_live_xxx",
                environment: "production"  // nil uses the Default values
            ))
        flags.start()
        return flags
    }

    static func wait(_ flags: AbrovaFlags) async -> Bool {
        let ready = await flags.waitUntilReady(timeout: 3)  // false when the time ran out
        return ready
    }

    static func read(_ flags: AbrovaFlags, print: (Any) -> Void) {
        if flags.isEnabled("new-checkout") {
            // Show the new checkout
            print("new checkout")
        }

        let dark = flags.getBoolean("dark-mode", default: false)
        let theme = flags.getString("theme", default: "light")
        let maxItems = flags.getNumber("max-items", default: 10)
        let layout = flags.getJson("home-layout", default: ["columns": 2])
        print(dark)
        print(theme)
        print(maxItems)
        print(layout["columns"] as? Int ?? 0)
    }

    struct HomeLayout: Decodable {
        let columns: Int
    }

    static func decode(_ flags: AbrovaFlags) -> HomeLayout {
        let layout = flags.getJson("home-layout", as: HomeLayout.self, default: HomeLayout(columns: 2))
        return layout
    }

    static func details(_ flags: AbrovaFlags, print: (Any...) -> Void) -> Bool {
        let d = flags.stringDetail("theme", default: "light")
        print(d.value, d.enabled, d.variant ?? "-", d.reason, d.version ?? 0)
        return d.reason == .notReady
    }

    static func signIn(_ flags: AbrovaFlags) {
        // After sign-in
        flags.identify("user-123", attributes: ["plan": "pro", "country": "IR", "beta": true, "age": 31])
    }

    static func replaceAttributes(_ flags: AbrovaFlags) {
        // Replace all attributes
        flags.setAttributes(["plan": "business"])
    }

    static func signOut(_ flags: AbrovaFlags) {
        // Signed out, attributes stay
        flags.setUserId(nil)
    }

    static func reset(_ flags: AbrovaFlags) {
        // Sign-out: clears the user id, the attributes and the cached values
        flags.reset()
    }

    static func listen(_ flags: AbrovaFlags, print: @escaping @Sendable (Any...) -> Void) -> AbrovaFlagsToken
    {
        let token = flags.addListener { event in
            switch event {
            case .ready:
                break  // First values are available (from the cache or the network). Fires once
            case .updated(let changedKeys):
                print("changed:", changedKeys)
            case .error(let error):
                print(error.kind, error.statusCode ?? 0, error.code ?? "-", error.message)
            }
        }
        return token
    }

    static func refresh(_ flags: AbrovaFlags) async -> Bool {
        // true when the values are current
        let ok = await flags.refresh()

        // With a completion handler
        flags.refresh { ok in /* ... */ }
        return ok
    }
}
