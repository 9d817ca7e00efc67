package import FlagModel

/// One flag, compiled: immutable, to be evaluated from any thread.
package final class CompiledFlag: Sendable {
    /// The flag's key.
    package let key: String
    /// The flag set it belongs to, from its own metadata or that of the definition; `nil` for none.
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
    /// The definition as it was read, with keys that mean nothing here (`description`, …), references
    /// unexpanded.
    package let definition: FlagValue
    /// Why the flag cannot be evaluated: it then always resolves to `PARSE_ERROR`.
    ///
    /// `nil` for a sound flag.
    package let fault: DefinitionProblem?
    /// The names of the variants in order of their UTF-8 bytes.
    package let variants: [String]

    private let rule: CompiledRule?
    /// The positions of ``results`` by the names of variants, in the rule's memory.
    private let table: Term
    private let results: [PreparedResult]
    /// What applies when there is no rule, or when it does not decide.
    private let fallback: Outcome

    init(_ flag: FlagDefinition, rule: (rule: CompiledRule, variants: Term)?, options: EvaluationOptions) {
        key = flag.key
        flagSetID = flag.flagSetID
        metadata = flag.metadata
        isEnabled = flag.isEnabled
        hasTargeting = flag.targeting != nil
        dependsOnTime = rule?.rule.dependsOnTime ?? false
        fingerprint = flag.fingerprint(options)
        definition = flag.definition
        fault = flag.fault
        variants = flag.variants.map(\.name)
        self.rule = rule?.rule
        table = rule?.variants ?? .emptyObject
        (results, fallback) = PreparedResult.all(for: flag, isTargeted: rule != nil)
    }

    /// Evaluates the flag.
    ///
    /// Takes no lock, and for usual rules allocates nothing; what a rule may take is bounded by
    /// ``EvaluationLimits``.
    package func evaluate(_ context: EvaluationContext) -> Outcome {
        guard let rule else { return fallback }
        return rule.evaluate(context) { result in
            switch result {
            case .success(let term): outcome(of: term)
            case .failure(let fault): failed(.parseError, rule.describe(fault))
            }
        }
    }

    @inline(__always)
    private func outcome(of term: Term) -> Outcome {
        switch term.kind {
        case .string:
            // Literals of the rule that name a variant have the address of the variant's name.
            for member in table.members where member.name.bits == term.bits && member.name.count == term.count
            {
                return Outcome(.prepared(Int(member.value.number)))
            }
            return namedOutcome(term)
        case .undefined, .null:
            return fallback
        case .bool:
            return namedOutcome(term.boolean ? Term("true") : Term("false"))
        case .number, .wideInteger, .array, .object:
            return unusualOutcome(term)
        }
    }

    @inline(never)
    private func namedOutcome(_ name: Term) -> Outcome {
        if let position = table.member(hash: nameHash(name.bytes), name: name) {
            return Outcome(.prepared(Int(position.number)))
        }
        let text = String(decoding: name.bytes.prefix(100), as: UTF8.self)
        return failed(
            .general, "the targeting rule chose \"\(text)\", which is not one of the flag's variants")
    }

    @inline(never)
    private func unusualOutcome(_ term: Term) -> Outcome {
        switch term.kind {
        case .number, .wideInteger:
            var text = NumberText.text(term.kind == .number ? term.number : Double(term.integer))
            return text.withUTF8 { bytes in
                // A number's text is never empty, so there is an address.
                namedOutcome(
                    Term(text: UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped), count: bytes.count))
            }
        case .array:
            return failed(.general, "the targeting rule gave a list instead of a variant's name")
        default:
            return failed(.general, "the targeting rule gave an object instead of a variant's name")
        }
    }

    private func failed(_ code: FlagErrorCode, _ details: String) -> Outcome {
        Outcome(.failed(.init(code: code, details: details)))
    }

    /// The resolution that an outcome of this flag stands for.
    package func resolution(for outcome: Outcome) -> FlagResolution {
        switch outcome.content {
        case .prepared(let position):
            let result = results[position]
            return FlagResolution(
                key: key, value: result.value, variant: result.variant, reason: result.reason,
                metadata: metadata)
        case .failed(let failure):
            return FlagResolution(
                key: key, reason: .error, errorCode: failure.code, errorDetails: failure.details,
                metadata: metadata)
        }
    }

    /// The outcome as an OFREP evaluation object in JSON, with the members in a fixed order.
    ///
    /// For every result without a fault the bytes were made when the flag was read: the array is shared, not
    /// copied.
    package func encoded(_ outcome: Outcome) -> [UInt8] {
        switch outcome.content {
        case .prepared(let position): results[position].bytes
        case .failed: ResolutionEncoder.bytes(of: resolution(for: outcome))
        }
    }
}
