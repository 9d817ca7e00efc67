package import FlagEvaluation
package import FlagModel

/// The flags of a selector, made ready for answering: immutable, once per version of the rules.
///
/// What does not depend on the context is made here: runs of flags without targeting are ready bytes.
package final class FlagSelection: Sendable {
    private enum Segment: Sendable {
        case constant([UInt8])
        case evaluated(CompiledFlag)
    }

    package let selector: FlagSelector
    package let rules: Ruleset
    package let flags: [CompiledFlag]
    /// The flags whose results can change with time alone.
    package let timeDependentFlags: [CompiledFlag]
    /// The flag set's metadata.
    package let metadata: [String: FlagValue]
    /// A digest of all that the flags' results depend on, besides context and time.
    package let fingerprint: Fingerprint
    /// About how many bytes the flags take in an answer.
    package let sizeEstimate: Int
    private let segments: [Segment]

    /// Selects from some rules.
    package init(of rules: Ruleset, selector: FlagSelector) {
        self.selector = selector
        self.rules = rules
        flags = selector.flags(of: rules)
        timeDependentFlags = flags.filter(\.dependsOnTime)
        metadata = Self.metadata(of: rules, for: selector)
        segments = Self.segments(of: flags)
        sizeEstimate = flags.count * 128
        let digests = flags.map { FlagValue.string($0.fingerprint.description) }
        fingerprint = Fingerprint(of: ["flags": .array(digests), "metadata": .object(metadata)])
    }

    /// The selected flag of a key.
    package func flag(_ key: String) -> CompiledFlag? {
        selector.flag(key, of: rules)
    }

    /// Appends the evaluations of all flags, with commas between.
    package func append(for context: EvaluationContext, to body: inout [UInt8]) {
        for (index, segment) in segments.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            switch segment {
            case .constant(let bytes): body.append(contentsOf: bytes)
            case .evaluated(let flag): body.append(contentsOf: flag.encoded(flag.evaluate(context)))
            }
        }
    }

    private static func segments(of flags: [CompiledFlag]) -> [Segment] {
        let nobody = EvaluationContext(attributes: [:], now: 0)
        var segments: [Segment] = []
        for flag in flags {
            if flag.hasTargeting {
                segments.append(.evaluated(flag))
                continue
            }
            let bytes = flag.encoded(flag.evaluate(nobody))
            if case .constant(let former) = segments.last {
                segments[segments.count - 1] = .constant(former + [UInt8(ascii: ",")] + bytes)
            } else {
                segments.append(.constant(bytes))
            }
        }
        return segments
    }

    /// The metadata of the selected set: the definition's own where it speaks of that set, else just the set's name.
    private static func metadata(of rules: Ruleset, for selector: FlagSelector) -> [String: FlagValue] {
        switch selector.choice {
        case .all: rules.metadata
        case .flagSet(let name?) where rules.metadata["flagSetId"]?.stringValue != name:
            ["flagSetId": .string(name)]
        case .flagSet(nil) where rules.metadata["flagSetId"] != nil: [:]
        case .flagSet: rules.metadata
        // Metadata speak of one set.
        case .flagSets, .nothing: [:]
        }
    }
}
