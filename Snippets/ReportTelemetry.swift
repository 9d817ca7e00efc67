import Flagstaff
import Foundation

var configuration = FlagClientConfiguration(endpoint: URL(string: "http://127.0.0.1:8080")!, key: "client-…")
configuration.app = FlagAppInfo(name: "Shop", version: "4.2")
configuration.telemetry.contexts = .examples
configuration.telemetry.privateAttributes = ["email", "user.name"]
configuration.telemetry.flushInterval = 300
let flags = try FlagClient(configuration)
await flags.start(context: FlagContext(key: "user-123", attributes: ["plan": "pro"]))

flags.track("checkout", value: 49.99, properties: ["items": 3, "gift": false])

if await !flags.flush(timeout: 3) { print("will be sent later") }
await flags.close()
