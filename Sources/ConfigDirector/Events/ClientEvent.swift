/// What made a client connect.
public enum ConnectReason: Sendable, CustomStringConvertible {
    /// A call of `initialize`.
    case initialization
    /// A call of `updateContext`.
    case contextUpdate
    /// A call of `resumeNetwork`, or the app's return from the background.
    case networkResume

    /// The reason in words, such as "context update".
    public var description: String {
        switch self {
        case .initialization: "initialization"
        case .contextUpdate: "context update"
        case .networkResume: "network resume"
        }
    }
}

/// Something in a client's life.
public enum ClientEvent: Sendable {
    /// The values of the context in effect are here.
    ///
    /// Comes with the first values, and again after a change of context and after a pause.
    case ready(ConnectReason)
    /// The service has sent values; they can be read already.
    case configsUpdated(ConfigsUpdate)
    /// This context is now in effect, before its values are where a time limit was up; `nil` for none.
    case contextUpdated(ConfigDirectorContext?)
}

/// What the service has sent.
public struct ConfigsUpdate: Sendable {
    /// The keys of the configs that were sent, sorted: all of them, or those that changed.
    public var keys: [String]
    /// The keys of the configs that are gone, sorted; only where all configs were sent.
    public var removedKeys: [String]

    /// Makes an update.
    ///
    /// - Parameters:
    ///   - keys: The keys of the configs that were sent.
    ///   - removedKeys: The keys of the configs that are gone.
    public init(keys: [String], removedKeys: [String] = []) {
        self.keys = keys
        self.removedKeys = removedKeys
    }
}
