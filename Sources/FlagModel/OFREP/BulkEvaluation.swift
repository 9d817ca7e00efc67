/// The answer to a bulk evaluation: all flags for one context.
package struct BulkEvaluation: Hashable, Sendable {
    /// The evaluations and failures, in the order of the answer.
    package var flags: [FlagResolution]
    /// The announced change streams; `nil` when the answer has no such member, which closes open ones.
    package var eventStreams: [EventStream]?
    /// The flag set's metadata.
    package var metadata: [String: FlagValue]
    /// How many entries of `flags` could not be read.
    ///
    /// They cost only themselves.
    package var malformedCount = 0

    /// Makes an answer.
    package init(
        flags: [FlagResolution], eventStreams: [EventStream]? = nil, metadata: [String: FlagValue] = [:]
    ) {
        self.flags = flags
        self.eventStreams = eventStreams
        self.metadata = metadata
    }

    /// Reads an answer; `nil` when it is no object with an array `flags`.
    package init?(_ document: FlagValue) {
        guard let entries = document["flags"]?.arrayValue else { return nil }
        flags = entries.compactMap(FlagResolution.init(ofrep:))
        malformedCount = entries.count - flags.count
        eventStreams = document["eventStreams"]?.arrayValue?.compactMap(EventStream.init(_:))
        metadata = document["metadata"]?.objectValue ?? [:]
    }

    /// The answer as JSON.
    package var json: FlagValue {
        var members: [String: FlagValue] = [
            "flags": .array(flags.map(\.ofrep)), "metadata": .object(metadata),
        ]
        if let eventStreams { members["eventStreams"] = .array(eventStreams.map(\.json)) }
        return .object(members)
    }
}
