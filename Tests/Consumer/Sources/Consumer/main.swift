import Flagstaff
import Foundation

// One import has to be enough for all that an app needs, with member import visibility or without.
extension FlagKey<Bool> {
    static var newCheckout: Self { Self("new-checkout", default: false) }
}

enum Theme: String, FlagConvertible {
    case light
    case dark
}

guard let endpoint = URL(string: CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080") else {
    exit(2)
}
let flags = try FlagClient(.init(endpoint: endpoint))
let context = FlagContext(key: "user-123", attributes: ["plan": "pro", "beta": true])
let outcome = await flags.start(context: context, timeout: 0.1)
let evaluation: FlagEvaluation<Theme> = flags.evaluation(of: "theme", default: Theme.light)
print(outcome.kind.rawValue, flags[.newCheckout], evaluation.value, evaluation.reason == .error)
await flags.close()
