extension FlagClient {
    // MARK: One flag

    /// Calls back on the main actor whenever a flag takes another value.
    ///
    /// Not called with the value at the time of registration. When several changes come in quick succession, the
    /// newest is delivered; a value that went back to what it was before is no change. Each call counts as one read.
    /// The callbacks end when the client is closed or released.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What stands for the flag where it has no value of this type.
    ///   - body: Called with the new value.
    /// - Returns: The token that keeps the callback registered.
    public func onChange<Value: FlagConvertible>(
        of key: String, default defaultValue: Value, _ body: @escaping @MainActor @Sendable (Value) -> Void
    ) -> FlagToken {
        onChange(of: key, default: defaultValue, on: .main) { value in
            MainActor.assumeIsolated { body(value) }
        }
    }

    /// Calls back on an executor whenever a flag takes another value.
    ///
    /// Not called with the value at the time of registration. When several changes come in quick succession, the
    /// newest is delivered; a value that went back to what it was before is no change. Each call counts as one read.
    /// The callbacks end when the client is closed or released.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What stands for the flag where it has no value of this type.
    ///   - executor: Where `body` runs.
    ///   - body: Called with the new value.
    /// - Returns: The token that keeps the callback registered.
    public func onChange<Value: FlagConvertible>(
        of key: String, default defaultValue: Value, on executor: FlagCallbackExecutor,
        _ body: @escaping @Sendable (Value) -> Void
    ) -> FlagToken {
        let reads = core.reads
        return core.register(of: FlagKey(key, default: defaultValue), on: executor) { evaluation in
            // An evaluation of a snapshot says its context itself.
            reads.record(evaluation, as: Value.self, context: FlagContext())
            body(evaluation.value)
        }
    }

    /// Calls back on the main actor whenever a flag takes another value.
    ///
    /// Like ``onChange(of:default:_:)``.
    ///
    /// - Parameters:
    ///   - key: The declared key.
    ///   - body: Called with the new value.
    /// - Returns: The token that keeps the callback registered.
    public func onChange<Value: FlagConvertible>(
        of key: FlagKey<Value>, _ body: @escaping @MainActor @Sendable (Value) -> Void
    ) -> FlagToken {
        onChange(of: key.name, default: key.defaultValue, body)
    }

    /// Calls back on an executor whenever a flag takes another value.
    ///
    /// Like ``onChange(of:default:on:_:)``.
    ///
    /// - Parameters:
    ///   - key: The declared key.
    ///   - executor: Where `body` runs.
    ///   - body: Called with the new value.
    /// - Returns: The token that keeps the callback registered.
    public func onChange<Value: FlagConvertible>(
        of key: FlagKey<Value>, on executor: FlagCallbackExecutor, _ body: @escaping @Sendable (Value) -> Void
    ) -> FlagToken {
        onChange(of: key.name, default: key.defaultValue, on: executor, body)
    }

    // MARK: All flags

    /// Calls back on the main actor whenever any flag changes.
    ///
    /// Not called at registration. Changes in quick succession are delivered as one. The callbacks end when the
    /// client is closed or released.
    ///
    /// - Parameter body: Called with the values before and after, and the keys of what changed.
    /// - Returns: The token that keeps the callback registered.
    public func onChange(_ body: @escaping @MainActor @Sendable (FlagChange) -> Void) -> FlagToken {
        onChange(on: .main) { change in
            MainActor.assumeIsolated { body(change) }
        }
    }

    /// Calls back on an executor whenever any flag changes.
    ///
    /// Not called at registration. Changes in quick succession are delivered as one. The callbacks end when the
    /// client is closed or released.
    ///
    /// - Parameters:
    ///   - executor: Where `body` runs.
    ///   - body: Called with the values before and after, and the keys of what changed.
    /// - Returns: The token that keeps the callback registered.
    public func onChange(
        on executor: FlagCallbackExecutor, _ body: @escaping @Sendable (FlagChange) -> Void
    ) -> FlagToken {
        let callback = FlagCallback<FlagChange>(merging: { $0.merged(with: $1) }, on: executor) { change in
            if let change = change.settled() { body(change) }
        }
        return core.register(callback)
    }

    // MARK: Events

    /// Calls back on the main actor with what happens in the client's life from now on, in order.
    ///
    /// As in ``events``, `ready` and `closed` come first where they are past. A callback that is more than 256 events
    /// behind loses the oldest.
    ///
    /// - Parameter body: Called with each event.
    /// - Returns: The token that keeps the callback registered.
    public func onEvent(_ body: @escaping @MainActor @Sendable (FlagEvent) -> Void) -> FlagToken {
        onEvent(on: .main) { event in
            MainActor.assumeIsolated { body(event) }
        }
    }

    /// Calls back on an executor with what happens in the client's life from now on, in order.
    ///
    /// As in ``events``, `ready` and `closed` come first where they are past. A callback that is more than 256 events
    /// behind loses the oldest.
    ///
    /// - Parameters:
    ///   - executor: Where `body` runs.
    ///   - body: Called with each event.
    /// - Returns: The token that keeps the callback registered.
    public func onEvent(
        on executor: FlagCallbackExecutor, _ body: @escaping @Sendable (FlagEvent) -> Void
    ) -> FlagToken {
        core.register(FlagCallback<FlagEvent>(on: executor, body))
    }
}
