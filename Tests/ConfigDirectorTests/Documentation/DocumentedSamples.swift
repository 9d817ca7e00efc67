// Public for this package's own rules of imports; an app's `import ConfigDirector` is enough.
public import ConfigDirector

// The samples of the SDK's documentation as they stand there: that this file compiles is the test. What they do is tested
// in `DocumentedSamplesTests`.

enum DocumentedSamples {
    // MARK: Configure and initialize the client

    static func initialize() async throws -> ConfigDirectorClient {
        // Creating the client makes no network calls. It throws only when the SDK key is
        // blank or a custom base URL is invalid.
        let client = try ConfigDirectorClient(clientSDKKey: "YOUR-CLIENT-SDK-KEY")

        // Connects and waits until config values are received, or until it times out.
        // After a timeout the client keeps trying to connect in the background.
        await client.initialize()
        return client
    }

    static func metadata() throws -> ConfigDirectorClient {
        let client = try ConfigDirectorClient(
            clientSDKKey: "YOUR-CLIENT-SDK-KEY",
            options: ConfigDirectorClientOptions(
                metadata: ConfigDirectorMetaContext(
                    appName: "YOUR-APP-NAME",
                    appVersion: "1.0.2"
                )
            )
        )
        return client
    }

    static func consoleLogger() throws -> ConfigDirectorClient {
        let client = try ConfigDirectorClient(
            clientSDKKey: "YOUR-CLIENT-SDK-KEY",
            options: ConfigDirectorClientOptions(logger: ConsoleLogger(level: .debug))
        )
        return client
    }

    struct MyLogger: ConfigDirectorLogger {
        // Messages more verbose than this level are never passed to `log`.
        let level: ConfigDirectorLogLevel = .info

        func log(_ level: ConfigDirectorLogLevel, message: String, error: (any Error)?) {
            // your specific logging library implementation here
        }
    }

    static func ownLogger() throws -> ConfigDirectorClient {
        let client = try ConfigDirectorClient(
            clientSDKKey: "YOUR-CLIENT-SDK-KEY",
            options: ConfigDirectorClientOptions(logger: MyLogger())
        )
        return client
    }

    static func connection() throws -> ConfigDirectorClient {
        let client = try ConfigDirectorClient(
            clientSDKKey: "YOUR-CLIENT-SDK-KEY",
            options: ConfigDirectorClientOptions(
                connection: ConnectionOptions(mode: .polling, pollingInterval: 600, timeout: 2)
            )
        )
        return client
    }

    // MARK: Events

    static func events(_ client: ConfigDirectorClient, print: (String) -> Void) async {
        for await event in client.events {
            switch event {
            case let .ready(reason):
                print("Client is ready after \(reason)")
            case let .configsUpdated(update):
                print("Configs updated: \(update.keys), removed: \(update.removedKeys)")
            case let .contextUpdated(context):
                print("Context updated: \(context?.id ?? "none")")
            }
        }
    }

    static func defaultsUsed(_ client: ConfigDirectorClient, print: (String) -> Void) async {
        for await evaluation in client.evaluations where evaluation.isDefaultValue {
            print("'\(evaluation.key)' fell back to its default: \(evaluation.reason.rawValue)")
        }
    }

    static func switches(_ client: ConfigDirectorClient, print: (String) -> Void) async {
        for await evaluation in client.evaluations {
            guard let isOn = evaluation.value.as(Bool.self) else { continue }

            print("'\(evaluation.key)' evaluated to \(isOn), value ID \(evaluation.valueID ?? "none")")
        }
    }

    // MARK: Retrieve config values

    static func retrieve(_ client: ConfigDirectorClient, print: (String) -> Void) async {
        do {
            // Retrieve the current value. The default value decides the type the config
            // is read as, and is returned until the client is ready.
            let darkMode = client.value(for: "my-config-key", default: false)
            print("Value: \(darkMode)")
        }

        // Subscribe to value updates. The stream yields the current value right away
        // and then every time the evaluated value changes.
        for await darkMode in client.values(for: "my-config-key", default: false) {
            print("Value updated: \(darkMode)")
        }
    }

    static func types(_ client: ConfigDirectorClient) -> (String, Int, Bool) {
        (
            client.value(for: "my-string-config-key", default: "Default"),

            client.value(for: "my-integer-config-key", default: 100),

            client.value(for: "my-boolean-config-key", default: false)
        )
    }

    struct Theme: Decodable {
        let primary: String
        let cornerRadius: Double
    }

    static func json(_ client: ConfigDirectorClient) -> Theme {
        let theme = client.value(
            for: "theme",
            as: Theme.self,
            default: Theme(primary: "#101010", cornerRadius: 8)
        )
        return theme
    }

    final class Screen {
        var theme = Theme.fallback

        func follow(_ client: ConfigDirectorClient) async {
            for await theme in client.values(for: "theme", as: Theme.self, default: .fallback) {
                self.theme = theme
            }
        }
    }

    static func locale(_ client: ConfigDirectorClient) -> Locale {
        let locale = client.value(for: "default-locale", default: Locale(identifier: "en_US"))
        return locale
    }

    // MARK: Update the user context

    static func context(_ client: ConfigDirectorClient) async {
        await client.initialize(
            context: ConfigDirectorContext(
                id: "12345",
                name: "Example User",
                traits: [
                    // Any arbitrary traits which can be referenced in targeting rules
                    "region": "North America"
                ]
            )
        )
    }

    static func updates(_ client: ConfigDirectorClient) async {
        await client.updateContext(
            ConfigDirectorContext(
                id: "654321",
                name: "Another User",
                traits: ["region": "Australia"]
            )
        )

        // Update it to an anonymous context when a user signs out. Leaving `id` unset
        // makes the server derive a stable identifier from this SDK instance.
        await client.updateContext(ConfigDirectorContext(isAnonymous: true))
    }

    static func traits(_ client: ConfigDirectorClient) async {
        await client.updateContext(
            ConfigDirectorContext(
                id: "user-123",
                name: "Ada Lovelace",
                traits: [
                    "plan": "pro",
                    "seats": 12,
                    "beta": true,
                    "regions": ["us-east", "eu-west"],
                ]
            )
        )
    }
}

extension DocumentedSamples.Theme: Equatable {
    static let fallback = DocumentedSamples.Theme(primary: "#101010", cornerRadius: 8)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Locale: ConfigValue {
    public static var configValueKind: ConfigValueKind { .string }

    public init?(configValue: String) {
        self.init(identifier: configValue)
    }
}
