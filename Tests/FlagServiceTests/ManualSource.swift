import FlagEvaluation
import FlagLocking
import FlagModel
import FlagStore

/// A source that delivers what a test hands it, on the test's own thread.
final class ManualSource: FlagSource {
    let name = "manual"
    private let deliver = Lock<(@Sendable (FlagSourceUpdate) -> Void)?>(nil)

    func start(_ deliver: @escaping @Sendable (FlagSourceUpdate) -> Void) {
        self.deliver.withLock { $0 = deliver }
    }

    func stop() {
        deliver.withLock { $0 = nil }
    }

    func deliver(_ update: FlagSourceUpdate) {
        let deliver = deliver.withLock { $0 }
        deliver?(update)
    }

    func publish(_ definition: FlagValue) throws {
        deliver(.rules(try Ruleset(definition: definition)))
    }
}

/// Definitions that the tests share.
enum Sample {
    /// A flag that serves one of its variants to all.
    static func constant(_ variants: FlagValue, default variant: String) -> FlagValue {
        ["state": "ENABLED", "variants": variants, "defaultVariant": .string(variant)]
    }

    /// A Boolean flag that is on for one plan.
    static func onForPlan(_ plan: String) -> FlagValue {
        [
            "state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "off",
            "targeting": ["if": [["==": [["var": "plan"], .string(plan)]], "on", "off"]],
        ]
    }

    /// A Boolean flag that is on from a time on.
    static func onFrom(_ time: Int64) -> FlagValue {
        [
            "state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "off",
            "targeting": ["if": [[">=": [["var": "$flagd.timestamp"], .int(time)]], "on", "off"]],
        ]
    }

    /// Flags with the value of their number, from 1 on in the order of their keys, each in a flag set.
    static func inSets(_ sets: [String: String]) -> [String: FlagValue] {
        var flags: [String: FlagValue] = [:]
        for (index, (key, set)) in sets.sorted(by: { $0.key < $1.key }).enumerated() {
            var flag = constant(["x": .int(Int64(index + 1))], default: "x").objectValue ?? [:]
            flag["metadata"] = ["flagSetId": .string(set)]
            flags[key] = .object(flag)
        }
        return flags
    }

    static func rules(_ flags: [String: FlagValue], metadata: FlagValue = [:]) throws -> Ruleset {
        try Ruleset(definition: ["flags": .object(flags), "metadata": metadata])
    }
}
