import FlagModel

/// What all flags of a snapshot have in common, as far as reads tell of it.
final class ReadScope: Sendable {
    /// The context that the flags were evaluated for.
    let context: FlagContext
    /// What is attached to the whole set of flags.
    let metadata: [String: FlagValue]
    /// Whether there are values.
    let isReady: Bool
    /// Whether the values belong to the former context.
    let isStale: Bool

    /// Makes the scope of a snapshot.
    init(context: FlagContext, metadata: [String: FlagValue], isReady: Bool, isStale: Bool) {
        self.context = context
        self.metadata = metadata
        self.isReady = isReady
        self.isStale = isStale
    }

    /// Whether reads tell the same of both.
    func equals(_ other: ReadScope) -> Bool {
        self === other
            || isReady == other.isReady && isStale == other.isStale && metadata == other.metadata
                && context == other.context
    }
}
