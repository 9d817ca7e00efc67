import ConfigDirector

struct MyLogger: ConfigDirectorLogger {
    // Messages more verbose than this level are never passed to `log`.
    let level: ConfigDirectorLogLevel = .info

    func log(_ level: ConfigDirectorLogLevel, message: String, error: (any Error)?) {
        // your specific logging library implementation here
    }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Locale: ConfigValue {
    public static var configValueKind: ConfigValueKind { .string }

    public init?(configValue: String) {
        self.init(identifier: configValue)
    }
}

// One import is enough, as it was before: `URL` and `Locale` come with it.
let client = try ConfigDirectorClient(
    clientSDKKey: "YOUR-CLIENT-SDK-KEY",
    options: ConfigDirectorClientOptions(
        connection: ConnectionOptions(timeout: 0.1, baseURL: URL(string: "http://127.0.0.1:9")),
        logger: MyLogger()
    )
)
await client.initialize(context: ConfigDirectorContext(id: "user-123", traits: ["plan": "pro", "seats": 12]))
let locale = client.value(for: "default-locale", default: Locale(identifier: "en_US"))
print(client.isReady, client.value(for: "dark-mode", default: false), locale.identifier)
client.close()
