import FlagModel

/// A result that a flag can have without a fault, ready to be sent.
struct PreparedResult: Sendable {
    let value: FlagValue?
    let variant: String?
    let reason: FlagReason
    /// The result as an OFREP evaluation object in JSON.
    let bytes: [UInt8]

    private init(_ flag: FlagDefinition, variant: (name: String, value: FlagValue)?, _ reason: FlagReason) {
        value = variant?.value
        self.variant = variant?.name
        self.reason = reason
        bytes = ResolutionEncoder.bytes(
            of: FlagResolution(
                key: flag.key, value: variant?.value, variant: variant?.name, reason: reason,
                metadata: flag.metadata))
    }

    /// All results of a flag, and the outcome that applies when no rule decides.
    ///
    /// - Parameters:
    ///   - flag: The flag.
    ///   - isTargeted: Whether the flag has a rule that is evaluated. The first results are then those of the
    ///     variants in their order.
    /// - Returns: The results, and the outcome.
    static func all(for flag: FlagDefinition, isTargeted: Bool) -> (
        results: [PreparedResult], fallback: Outcome
    ) {
        if let fault = flag.fault {
            let details = "the flag's definition is faulty: \(fault)"
            return ([], Outcome(.failed(.init(code: .parseError, details: details))))
        }
        if !flag.isEnabled { return ([PreparedResult(flag, variant: nil, .disabled)], Outcome(.prepared(0))) }

        let targeted =
            isTargeted ? flag.variants.map { PreparedResult(flag, variant: $0, .targetingMatch) } : []
        guard let name = flag.defaultVariant else {
            return (
                targeted + [PreparedResult(flag, variant: nil, .default)], Outcome(.prepared(targeted.count))
            )
        }
        guard let variant = flag.variants.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            let details = "the default variant \"\(name)\" is not one of the flag's variants"
            return (targeted, Outcome(.failed(.init(code: .general, details: details))))
        }
        let result = PreparedResult(flag, variant: variant, isTargeted ? .default : .static)
        return (targeted + [result], Outcome(.prepared(targeted.count)))
    }
}
