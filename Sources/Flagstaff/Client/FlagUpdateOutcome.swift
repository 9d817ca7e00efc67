/// How `start`, `setContext` or `refresh` ended.
///
/// Reads work after each of them.
public struct FlagUpdateOutcome: Hashable, Sendable {
    /// A way to end.
    ///
    /// Open: later versions can add some.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The kind's name.
        public let rawValue: String

        /// Makes a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The context's values are here, as the service evaluates them now.
        public static let fresh = Kind(rawValue: "fresh")
        /// Stored values of an earlier run are here, and the service is being asked: with
        /// ``FlagStartRequirement/cached`` only.
        public static let cached = Kind(rawValue: "cached")
        /// The client is paused; the values come when it is resumed.
        public static let paused = Kind(rawValue: "paused")
        /// The time was up; the attempt goes on in the background.
        public static let timedOut = Kind(rawValue: "timedOut")
        /// The attempt failed.
        ///
        /// The client tries again in the background, unless the service refused it.
        public static let failed = Kind(rawValue: "failed")
        /// A later change of context took over.
        public static let superseded = Kind(rawValue: "superseded")
        /// The calling task was cancelled; the attempt goes on in the background.
        public static let cancelled = Kind(rawValue: "cancelled")
        /// The client is closed.
        public static let closed = Kind(rawValue: "closed")
    }

    /// The way it ended.
    public var kind: Kind
    /// What went wrong: set for ``Kind/failed``, and for ``Kind/timedOut`` when an attempt had failed before.
    public var error: FlagClientError?

    /// Makes an outcome.
    ///
    /// - Parameters:
    ///   - kind: The way it ended.
    ///   - error: What went wrong.
    public init(kind: Kind, error: FlagClientError? = nil) {
        self.kind = kind
        self.error = error
    }

    /// Whether the context's values are here, as the service evaluates them now.
    public var isFresh: Bool { kind == .fresh }

    /// The context's values are here.
    public static let fresh = FlagUpdateOutcome(kind: .fresh)
    /// Stored values are here.
    public static let cached = FlagUpdateOutcome(kind: .cached)
    /// The client is paused.
    public static let paused = FlagUpdateOutcome(kind: .paused)
    /// The time was up.
    public static let timedOut = FlagUpdateOutcome(kind: .timedOut)
    /// A later change of context took over.
    public static let superseded = FlagUpdateOutcome(kind: .superseded)
    /// The calling task was cancelled.
    public static let cancelled = FlagUpdateOutcome(kind: .cancelled)
    /// The client is closed.
    public static let closed = FlagUpdateOutcome(kind: .closed)

    /// The attempt failed.
    ///
    /// - Parameter error: What went wrong.
    /// - Returns: The outcome ``Kind/failed`` with that error.
    public static func failed(_ error: FlagClientError) -> FlagUpdateOutcome {
        FlagUpdateOutcome(kind: .failed, error: error)
    }
}

extension FlagUpdateOutcome: CustomStringConvertible {
    /// The kind, and the error where there is one.
    public var description: String {
        error.map { "\(kind.rawValue) (\($0))" } ?? kind.rawValue
    }
}

extension FlagUpdateOutcome.Kind: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
