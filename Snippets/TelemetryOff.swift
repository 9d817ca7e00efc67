import Flagstaff
import Foundation

var configuration = FlagClientConfiguration(endpoint: URL(string: "http://127.0.0.1:8080")!)
configuration.telemetry = .off
let flags = try FlagClient(configuration)
await flags.close()
