import Flagstaff
import Foundation

let endpoint = URL(string: "http://127.0.0.1:8080")!
var configuration = FlagClientConfiguration(endpoint: endpoint)
configuration.contextSwitch = .cachedElseDefaults
configuration.contextChangeDelay = 0.2
let flags = try FlagClient(configuration)

let anonymous = FlagContext(
    key: "device-7f3a", isAnonymous: true,
    attributes: ["plan": "free", "device": ["mobile": true, "model": "Pixel"]])
await flags.start(context: anonymous, timeout: 3)

let signedIn = FlagContext(key: "user-123", attributes: ["plan": "pro"])
let outcome = await flags.setContext(signedIn, timeout: 3)
if !outcome.isFresh {
    print("going on with what is there:", outcome)
}

for await event in flags.events where event.kind == .contextChanged {
    print("the values of the context that was set last are here")
    break
}

let teamFlags = try FlagClient(.init(endpoint: endpoint))
await teamFlags.start(context: FlagContext(key: "team-9"))

await teamFlags.close()
await flags.close()
