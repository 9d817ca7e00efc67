/// Something in a definition that should be corrected, and where.
package struct DefinitionProblem: Hashable, Sendable {
    /// How much a problem matters.
    package enum Severity: String, Hashable, Sendable {
        /// The definition breaks the schema, or cannot do what it says.
        case error
        /// The definition is allowed, but probably not what its author means.
        case warning
    }

    /// How much it matters.
    package var severity: Severity
    /// Where it is, as a JSON path such as `$.flags.new-checkout.variants`.
    package var path: String
    /// What is wrong and what to do, in one sentence without a full stop.
    package var message: String
    /// The flag that has the problem, or `nil` when it concerns the whole definition.
    package var flagKey: String?
    /// Whether the flag cannot be evaluated because of it: it then resolves to `PARSE_ERROR`.
    package var disablesFlag: Bool

    /// Makes a problem.
    package init(
        _ severity: Severity = .error, path: String, message: String, flagKey: String? = nil,
        disablesFlag: Bool = false
    ) {
        self.severity = severity
        self.path = path
        self.message = message
        self.flagKey = flagKey
        self.disablesFlag = disablesFlag
    }
}

extension DefinitionProblem: CustomStringConvertible {
    /// Path and message: `$.flags.new-checkout.variants: expected an object`.
    package var description: String { "\(path): \(message)" }
}
