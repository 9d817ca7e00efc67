/// Something in a client's life: values arrived or changed, the connection went or came back.
public struct FlagEvent: Hashable, Sendable {
    /// A kind of event.
    ///
    /// Open: later versions can add some.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The kind's name.
        public let rawValue: String

        /// Makes a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The first values are here.
        ///
        /// Once per client; a later subscriber gets it first.
        public static let ready = Kind(rawValue: "ready")
        /// Values changed: see ``FlagEvent/changedKeys``.
        ///
        /// The new ones can be read already. The first values are no change: ``ready`` tells of them, unless there were
        /// others that the app was built with.
        public static let changed = Kind(rawValue: "changed")
        /// Something arrived from the service, changed or not: see ``FlagEvent/receivedKeys``,
        /// ``FlagEvent/removedKeys`` and ``FlagEvent/isWhole``.
        public static let received = Kind(rawValue: "received")
        /// Stored values of an earlier run are in effect, until the service answers.
        public static let cached = Kind(rawValue: "cached")
        /// The client rests: the app said so, or went to the background.
        public static let paused = Kind(rawValue: "paused")
        /// The client works again.
        public static let resumed = Kind(rawValue: "resumed")
        /// The client begins anew: all that follows is of the connection that
        /// ``FlagClient/reconnect(context:timeout:)`` asked for.
        public static let reconnecting = Kind(rawValue: "reconnecting")
        /// Another context was set; its values are on the way.
        public static let contextChanging = Kind(rawValue: "contextChanging")
        /// The values of the context that was set are here.
        ///
        /// With overlapping changes only the last says so.
        public static let contextChanged = Kind(rawValue: "contextChanged")
        /// The service delivers (again): over a stream where there is one, else in answer to requests.
        public static let connected = Kind(rawValue: "connected")
        /// The stream is down or the service cannot be reached: values can be out of date.
        public static let stale = Kind(rawValue: "stale")
        /// An attempt failed: see ``FlagEvent/error``.
        public static let error = Kind(rawValue: "error")
        /// The service refuses this client: nothing more is tried until `refresh`, `setContext` or `start`.
        public static let stopped = Kind(rawValue: "stopped")
        /// The client is closed: the last event.
        public static let closed = Kind(rawValue: "closed")
    }

    /// The kind of event.
    public var kind: Kind
    /// The keys of the flags that were added, removed or evaluate differently, sorted; with ``Kind/changed``.
    public var changedKeys: [String]
    /// The keys of the flags that the service sent, sorted; with ``Kind/received``.
    public var receivedKeys: [String]
    /// The keys of the flags that the service has no longer, sorted; with ``Kind/received``.
    public var removedKeys: [String]
    /// Whether the service sent all flags, or only those that changed; with ``Kind/received``.
    public var isWhole: Bool
    /// What made values arrive or change; with ``Kind/ready``, ``Kind/received``, ``Kind/changed``, ``Kind/cached`` and
    /// ``Kind/contextChanged``; `nil` with the ``Kind/ready`` that a later subscriber gets first.
    public var cause: FlagUpdateCause?
    /// What went wrong; with ``Kind/error``, ``Kind/stopped`` and, where known, ``Kind/stale``.
    public var error: FlagClientError?

    /// Makes an event.
    ///
    /// - Parameters:
    ///   - kind: The kind of event.
    ///   - changedKeys: The keys of the flags that changed.
    ///   - receivedKeys: The keys of the flags that the service sent.
    ///   - removedKeys: The keys of the flags that the service has no longer.
    ///   - isWhole: Whether the service sent all flags.
    ///   - cause: What made values arrive or change.
    ///   - error: What went wrong.
    public init(
        kind: Kind, changedKeys: [String] = [], receivedKeys: [String] = [], removedKeys: [String] = [],
        isWhole: Bool = false, cause: FlagUpdateCause? = nil, error: FlagClientError? = nil
    ) {
        self.kind = kind
        self.changedKeys = changedKeys
        self.receivedKeys = receivedKeys
        self.removedKeys = removedKeys
        self.isWhole = isWhole
        self.cause = cause
        self.error = error
    }
}

extension FlagEvent: CustomStringConvertible {
    /// The kind, with the keys or the error.
    public var description: String {
        if let error { return "\(kind.rawValue) (\(error))" }
        return changedKeys.isEmpty
            ? kind.rawValue : "\(kind.rawValue) (\(changedKeys.joined(separator: ", ")))"
    }
}

extension FlagEvent.Kind: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
