import Flagstaff
import Foundation

var configuration = FlagClientConfiguration(endpoint: URL(string: "http://127.0.0.1:8080")!)
configuration.sync = .polling(every: 300)
configuration.background = .pause
configuration.foregroundRefresh = .ifOlder(than: 900)
configuration.startRequirement = .cached
configuration.fallbackEndpoints = [URL(string: "http://127.0.0.1:8081")!]
configuration.refusal = .slowDown

let flags = try FlagClient(configuration)
let outcome = await flags.start(context: FlagContext(key: "user-123"), timeout: 3)
switch outcome.kind {
case .fresh: print("as the service evaluates them now")
case .cached: print("from the cache; the service is being asked")
default: print("defaults for now:", outcome)
}

flags.pause()
await flags.resume(timeout: 3)

await flags.refresh(timeout: 3)

let watching = Task {
    for await event in flags.events {
        switch event.kind {
        case .received: print(event.receivedKeys.count, "flags arrived, because of", event.cause ?? .poll)
        case .changed: print("other values:", event.changedKeys)
        case .stale: print("values may be out of date")
        case .connected: print("values are up to date")
        default: break
        }
    }
}

flags.setOverride(true, for: "new-checkout")
flags.removeAllOverrides()

await flags.close()
await watching.value
