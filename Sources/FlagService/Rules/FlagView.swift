package import FlagEvaluation
package import FlagModel

/// A selection as the holders of one key see it: besides the flags, the addresses of their streams.
///
/// Immutable.
package final class FlagView: Sendable {
    /// What tells two views of the same rules apart.
    package struct Identity: Hashable, Sendable {
        package var selector: FlagSelector
        /// Which key the requests come with; `nil` where the service asks for none.
        package var keyID: ClientKeys.ID?
    }

    package let identity: Identity
    package let selection: FlagSelection
    private let fingerprint: Fingerprint
    private let closing: [UInt8]

    /// Makes the view of a selection.
    package init(of selection: FlagSelection, as identity: Identity, eventStreams: [EventStream]) {
        self.identity = identity
        self.selection = selection
        closing = Self.closing(eventStreams: eventStreams, metadata: selection.metadata)
        // Everything that the answer depends on besides the context.
        fingerprint = selection.fingerprint.combined(with: Fingerprint(of: closing))
            .combined(with: Fingerprint(of: identity.keyID?.description ?? ""))
    }

    /// The rules that the view is of.
    package var rules: Ruleset { selection.rules }
    /// The flag set's metadata.
    package var metadata: [String: FlagValue] { selection.metadata }
    /// The flags whose results can change with time alone.
    package var timeDependentFlags: [CompiledFlag] { selection.timeDependentFlags }

    /// The selected flag of a key.
    package func flag(_ key: String) -> CompiledFlag? {
        selection.flag(key)
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
        selection.append(for: context, to: &body)
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
        selection.append(for: context, to: &data)
        data.append(contentsOf: closing)
        data.append(UInt8(ascii: "}"))
        return data
    }

    private static func closing(eventStreams: [EventStream], metadata: [String: FlagValue]) -> [UInt8] {
        var writer = JSONWriter(options: .sortedKeys)
        writer.write(raw: "],\"eventStreams\":")
        writer.write(.array(eventStreams.map(\.json)))
        writer.write(raw: ",\"metadata\":")
        writer.write(metadata)
        return writer.bytes
    }

    private var sizeEstimate: Int { selection.sizeEstimate + closing.count + 64 }
}
