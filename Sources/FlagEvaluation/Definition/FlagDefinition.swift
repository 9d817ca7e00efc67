import FlagModel

/// One flag as its definition says, checked and with references expanded.
struct FlagDefinition {
    let key: String
    /// As it was read.
    let definition: FlagValue
    /// The definition's metadata overlaid by the flag's.
    var metadata: [String: FlagValue] = [:]
    var isEnabled = true
    /// By name, in order of the names' UTF-8 bytes.
    var variants: [(name: String, value: FlagValue)] = []
    /// `nil` when the code's default applies.
    var defaultVariant: String?
    /// The rule with references expanded, `nil` for none.
    var targeting: FlagValue?
    /// Why the flag cannot be evaluated, or `nil`.
    var fault: DefinitionProblem?

    /// The flag set it belongs to.
    var flagSetID: String? {
        guard let id = metadata["flagSetId"]?.stringValue, !id.isEmpty else { return nil }
        return id
    }

    /// A digest of everything that resolutions depend on.
    func fingerprint(_ options: EvaluationOptions) -> Fingerprint {
        var content: [String: FlagValue] = ["key": .string(key), "metadata": .object(metadata)]
        if let fault {
            content["fault"] = .string(fault.description)
        } else if isEnabled {
            content["variants"] = .object(
                Dictionary(variants.map { ($0.name, $0.value) }) { _, last in last })
            if let defaultVariant { content["defaultVariant"] = .string(defaultVariant) }
            if let targeting {
                content["targeting"] = targeting
                content["fractional"] = .string(options.fractional.rawValue)
            }
        } else {
            content["state"] = "DISABLED"
        }
        return Fingerprint(of: .object(content))
    }
}
