import FlagModel
import Flagstaff
import Foundation

/// What a probe stores: everything follows from a number, so that whoever finds it can tell whether it is whole.
enum ProbeContent {
    /// The context that values are stored for.
    static let context = FlagContext(key: "probe", attributes: ["plan": "pro"])

    /// A batch's bytes: up to 20,000, so that writing them takes more than one page.
    static func batch(_ number: Int) -> [UInt8] {
        let size = number &* 7919 % 20_000
        return (0..<size).map { UInt8(truncatingIfNeeded: $0 &+ number) }
    }

    /// A service's answer in which every flag has the number.
    static func answer(_ number: Int) -> BulkEvaluation {
        BulkEvaluation(
            flags: (0..<200).map {
                FlagResolution(key: "flag-\($0)", value: .int(Int64(number)), variant: "v", reason: .static)
            })
    }
}

/// A logger that counts warnings.
final class ProbeLog: FlagLogger {
    let level = FlagLogLevel.warning

    func log(_ level: FlagLogLevel, _ message: String) {
        ClientProbe.say("warning \(message)")
    }
}
