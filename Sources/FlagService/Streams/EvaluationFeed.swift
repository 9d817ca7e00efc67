import FlagEvaluation
import FlagModel

/// What one `flagstaff.evaluations` stream tells: pure, from a view of the rules to the bytes to send.
///
/// It keeps the context, and of the results only those that can change by themselves, so that an idle stream takes
/// little memory: the former results of changed flags are computed again from the former rules when they are needed.
struct EvaluationFeed: Sendable {
    private let body: [UInt8]
    private let contextFingerprint: Fingerprint
    private(set) var view: FlagView
    /// Digests of what was sent of the flags that depend on time, by key.
    private var sentResults: [String: Fingerprint] = [:]
    /// How many patches were made.
    private var patches = 0

    /// Prepares a stream for a context; ``opening(ifNoneMatch:now:)`` comes next.
    ///
    /// - Parameters:
    ///   - body: The request's body. It is kept as it is and read at each message, because read it can take twenty
    ///     times as much memory.
    ///   - contextFingerprint: The digest of the context in it.
    ///   - view: What the stream tells of.
    init(body: [UInt8], contextFingerprint: Fingerprint, view: FlagView) {
        self.body = body
        self.contextFingerprint = contextFingerprint
        self.view = view
    }

    /// The first message: all flags, or that what the client has is current.
    mutating func opening(ifNoneMatch: String?, now: Int64) -> [UInt8] {
        let context = context(now: now)
        let etag = view.etag(for: context, fingerprint: contextFingerprint)
        for flag in view.timeDependentFlags {
            sentResults[flag.key] = Fingerprint(of: flag.encoded(flag.evaluate(context)))
        }
        if EntityTag.matches(ifNoneMatch, etag) {
            return message(type: "current", data: Array("{\"etag\":\(FlagValue.string(etag).jsonText)}".utf8))
        }
        return message(type: "put", data: view.putData(for: context, etag: etag))
    }

    /// Goes over to the present rules: what changed for this context, or `nil` when nothing did.
    ///
    /// - Parameters:
    ///   - present: The view of the present rules for the same kind of request.
    ///   - change: How the two views differ.
    ///   - now: The time in seconds since 1970.
    /// - Returns: The bytes to send. Other rules with the same results for this context still make a message: it
    ///   carries the new ETag.
    mutating func update(to present: FlagView, change: ViewChange, now: Int64) -> [UInt8] {
        let context = context(now: now)
        view = present
        var flags: [[UInt8]] = []
        for changed in change.changed {
            let bytes = changed.present.encoded(changed.present.evaluate(context))
            let key = changed.present.key
            // What was sent of a flag that depended on time can differ from what its former rule gives now.
            let sent =
                changed.former?.dependsOnTime == true
                ? sentResults[key] : changed.former.map { Fingerprint(of: $0.encoded($0.evaluate(context))) }
            let digest = Fingerprint(of: bytes)
            sentResults[key] = changed.present.dependsOnTime ? digest : nil
            if sent != digest { flags.append(bytes) }
        }
        for key in change.removed { sentResults[key] = nil }
        flags += timeChanges(in: context)
        return patch(flags: flags, removed: change.removed, metadata: change.metadata, context)
    }

    /// What time alone has changed since the last message, or `nil`.
    mutating func tick(now: Int64) -> [UInt8]? {
        if view.timeDependentFlags.isEmpty { return nil }
        let context = context(now: now)
        let flags = timeChanges(in: context)
        return flags.isEmpty ? nil : patch(flags: flags, removed: [], metadata: nil, context)
    }

    /// The context of the body, which was read once before, when the request was let in.
    private func context(now: Int64) -> EvaluationContext {
        EvaluationContext(attributes: (try? OFREPContext.parse(body)) ?? [:], now: now)
    }

    private mutating func timeChanges(in context: EvaluationContext) -> [[UInt8]] {
        var changes: [[UInt8]] = []
        for flag in view.timeDependentFlags {
            let bytes = flag.encoded(flag.evaluate(context))
            let digest = Fingerprint(of: bytes)
            if sentResults.updateValue(digest, forKey: flag.key) != digest { changes.append(bytes) }
        }
        return changes
    }

    private mutating func patch(
        flags: [[UInt8]], removed: [String], metadata: [String: FlagValue]?, _ context: EvaluationContext
    ) -> [UInt8] {
        patches += 1
        var writer = JSONWriter(options: .sortedKeys)
        writer.write(raw: "{\"etag\":")
        writer.write(view.etag(for: context, fingerprint: contextFingerprint))
        writer.write(raw: ",\"flags\":[")
        for (index, bytes) in flags.enumerated() {
            if index > 0 { writer.write(raw: ",") }
            writer.write(raw: bytes)
        }
        writer.write(raw: "],\"removed\":")
        writer.write(.array(removed.map(FlagValue.string)))
        if let metadata {
            writer.write(raw: ",\"metadata\":")
            writer.write(metadata)
        }
        writer.write(raw: ",\"number\":")
        writer.write(.int(Int64(patches)))
        writer.write(raw: "}")
        return message(type: "patch", data: writer.bytes)
    }

    /// An event whose data is JSON of this module's own, which has no line ends.
    private func message(type: StaticString, data: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 80)
        bytes.append(contentsOf: Array("event: \(type)\nid: ".utf8))
        bytes.append(contentsOf: view.rules.fingerprint.hexadecimal)
        bytes.append(contentsOf: Array("\ndata: ".utf8))
        bytes.append(contentsOf: data)
        bytes.append(contentsOf: [0x0A, 0x0A])
        return bytes
    }
}
