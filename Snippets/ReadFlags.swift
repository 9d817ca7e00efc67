import Flagstaff
import Foundation

extension FlagKey<Bool> {
    static var newCheckout: Self { Self("new-checkout", default: false) }
}

let flags = try FlagClient(.init(endpoint: URL(string: "http://127.0.0.1:8080")!))
await flags.start(context: FlagContext(key: "user-123", attributes: ["plan": "pro"]), timeout: 3)

print("max-items is", flags.value(for: "max-items", default: 10))
let theme = flags.evaluation(of: "theme", default: "light")
print("theme is", theme.value, "because of", theme.reason)

for await isOn in flags.values(for: .newCheckout) {
    print("new-checkout is", isOn)
    if isOn { break }
}
await flags.close()
