import FlagLocking

/// Keeps a callback registered: the callback ends with ``cancel()``, or when the token is let go of.
///
/// Store it where the callback's owner lives; a token that nothing holds ends its callback at once. It keeps neither
/// the client nor, once cancelled, the callback alive.
public final class FlagToken: Sendable {
    private let onCancel: Lock<(@Sendable () -> Void)?>

    /// Makes a token.
    ///
    /// - Parameter onCancel: What ends the callback: run once, by whoever cancels or lets go of the token.
    public init(_ onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = Lock(onCancel)
    }

    deinit {
        cancel()
    }

    /// Ends the callback and lets go of all it captured.
    ///
    /// Called on the callback's own executor (the main actor, its serial queue), nothing is called any more once this
    /// returns, not even for what happened before. Called from elsewhere, a call that has begun still ends. Calling
    /// it again does nothing.
    public func cancel() {
        let onCancel = onCancel.withLock { onCancel in
            defer { onCancel = nil }
            return onCancel
        }
        onCancel?()
    }

    /// Adds the token to a collection that keeps it.
    ///
    /// - Parameter tokens: The collection.
    public func store(in tokens: inout some RangeReplaceableCollection<FlagToken>) {
        tokens.append(self)
    }

    /// Adds the token to a set that keeps it.
    ///
    /// - Parameter tokens: The set.
    public func store(in tokens: inout Set<FlagToken>) {
        tokens.insert(self)
    }
}

extension FlagToken: Hashable {
    /// Whether the two are the same token.
    public static func == (left: FlagToken, right: FlagToken) -> Bool {
        left === right
    }

    /// Feeds the token's identity into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
