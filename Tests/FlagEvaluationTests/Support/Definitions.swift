import FlagModel
import Testing

@testable import FlagEvaluation

extension Ruleset {
    /// A definition of one flag `f` with variants `on` and `off`, of which `off` is the default.
    static func targeting(_ rule: FlagValue, options: EvaluationOptions = .init()) throws -> Ruleset {
        try Ruleset(
            definition: [
                "flags": [
                    "f": [
                        "state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "off",
                        "targeting": rule,
                    ]
                ]
            ], options: options)
    }

    /// Reads a definition from JSON text.
    convenience init(json: String, options: EvaluationOptions = .init()) throws {
        try self.init(parsing: Array(json.utf8), options: options)
    }

    /// The resolution of a flag without any attributes.
    func resolution(of key: String, _ attributes: [String: FlagValue] = [:], now: Int64 = 0) -> FlagResolution
    {
        resolution(of: key, for: EvaluationContext(attributes: attributes, now: now))
    }

    /// The paths of all problems.
    var paths: [String] { problems.map(\.path) }
}
