package import FlagEvaluation
package import FlagModel

/// The rules as one kind of request sees them: the flags of a selector, for the holders of one key.
///
/// Immutable.
///
/// What does not depend on the context is made here, once per version of the rules: runs of flags without targeting
/// are ready bytes, and so is the end of the answer.
package final class FlagView: Sendable {
    /// What tells two views of the same rules apart.
    package struct Identity: Hashable, Sendable {
        package var selector: FlagSelector
        /// Which key the requests come with; `nil` where the service asks for none.
        package var keyID: ClientKeys.ID?
    }

    private enum Segment: Sendable {
        case constant([UInt8])
        case evaluated(CompiledFlag)
    }

    package let identity: Identity
    package let rules: Ruleset
    package let flags: [CompiledFlag]
    /// The flags whose results can change with time alone.
    package let timeDependentFlags: [CompiledFlag]
    /// The flag set's metadata.
    package let metadata: [String: FlagValue]
    private let fingerprint: Fingerprint
    private let segments: [Segment]
    private let closing: [UInt8]
    private let sizeEstimate: Int

    /// Makes the view of some rules.
    package init(of rules: Ruleset, as identity: Identity, eventStreams: [EventStream]) {
        self.identity = identity
        self.rules = rules
        flags = identity.selector.flags(of: rules)
        timeDependentFlags = flags.filter(\.dependsOnTime)
        metadata = Self.metadata(of: rules, for: identity.selector)
        segments = Self.segments(of: flags)
        closing = Self.closing(eventStreams: eventStreams, metadata: metadata)
        sizeEstimate = flags.count * 128 + closing.count + 16
        // Everything that the answer depends on besides the context: the rules, the selector, the key (its streams'
        // addresses are in the answer).
        let surroundings: FlagValue = ["flags": .array(flags.map { .string($0.fingerprint.description) })]
        fingerprint = Fingerprint(of: surroundings).combined(with: Fingerprint(of: closing))
            .combined(with: Fingerprint(of: identity.keyID?.description ?? ""))
    }

    /// The selected flag of a key.
    package func flag(_ key: String) -> CompiledFlag? {
        identity.selector.flag(key, of: rules)
    }

    /// The ETag of this view's results for a context, quotes included.
    ///
    /// It stands for the rules and the whole context, so that it needs no evaluation; only flags that depend on the
    /// time are evaluated, as their results can change while nothing else does.
    package func etag(for context: EvaluationContext, fingerprint contextFingerprint: Fingerprint) -> String {
        var digest = fingerprint.combined(with: contextFingerprint)
        for flag in timeDependentFlags {
            digest = digest.combined(with: Fingerprint(of: flag.encoded(flag.evaluate(context))))
        }
        return "\"\(digest)\""
    }

    /// The body of the answer to a bulk evaluation.
    package func body(for context: EvaluationContext) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(sizeEstimate)
        body.append(contentsOf: Array("{\"flags\":[".utf8))
        append(for: context, to: &body)
        body.append(contentsOf: closing)
        body.append(UInt8(ascii: "}"))
        return body
    }

    /// The data of a stream's first message: the body with the ETag in it.
    package func putData(for context: EvaluationContext, etag: String) -> [UInt8] {
        var data = Array("{\"etag\":".utf8)
        data.reserveCapacity(sizeEstimate)
        data.append(contentsOf: FlagValue.string(etag).jsonText.utf8)
        data.append(contentsOf: Array(",\"flags\":[".utf8))
        append(for: context, to: &data)
        data.append(contentsOf: closing)
        data.append(UInt8(ascii: "}"))
        return data
    }

    private func append(for context: EvaluationContext, to body: inout [UInt8]) {
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

    private static func closing(eventStreams: [EventStream], metadata: [String: FlagValue]) -> [UInt8] {
        var writer = JSONWriter(options: .sortedKeys)
        writer.write(raw: "],\"eventStreams\":")
        writer.write(.array(eventStreams.map(\.json)))
        writer.write(raw: ",\"metadata\":")
        writer.write(metadata)
        return writer.bytes
    }

    /// The metadata of the selected set: the definition's own where it speaks of that set, else just the set's name.
    private static func metadata(of rules: Ruleset, for selector: FlagSelector) -> [String: FlagValue] {
        switch selector.choice {
        case .all: rules.metadata
        case .flagSet(let name?) where rules.metadata["flagSetId"]?.stringValue != name:
            ["flagSetId": .string(name)]
        case .flagSet(nil) where rules.metadata["flagSetId"] != nil: [:]
        case .flagSet: rules.metadata
        case .nothing: [:]
        }
    }
}
