import FlagLocking

extension ClientCore {
    /// Calls back when a flag has another value; that is not counted as a read.
    func register<Value: FlagConvertible>(
        of key: FlagKey<Value>, on executor: FlagCallbackExecutor,
        _ body: @escaping @Sendable (FlagEvaluation<Value>) -> Void
    ) -> FlagToken {
        let callback = FlagCallback<FlagChange>(merging: { $0.extended(to: $1) }, on: executor) { change in
            let evaluation = change.snapshot.evaluation(of: key)
            if evaluation.value != change.former[key] { body(evaluation) }
        }
        return register(callback, of: key.name)
    }

    private func register(_ callback: FlagCallback<FlagChange>, of key: String) -> FlagToken {
        let id: Int? = state.withLock { state in
            state.machine.phase == .closed ? nil : state.hub.addWatcher(of: key, .callback(callback))
        }
        guard let id else { return ended(callback) }
        return FlagToken { [weak self] in
            callback.cancel()
            self?.state.withLock { $0.hub.removeWatcher(id, of: key) }
        }
    }

    /// Calls back when any flag changes.
    func register(_ callback: FlagCallback<FlagChange>) -> FlagToken {
        let id: Int? = state.withLock { state in
            state.machine.phase == .closed ? nil : state.hub.addObserver(.callback(callback))
        }
        guard let id else { return ended(callback) }
        return FlagToken { [weak self] in
            callback.cancel()
            self?.state.withLock { $0.hub.removeObserver(id) }
        }
    }

    /// Calls back with the events from now on, after those that tell a newcomer how things are.
    func register(_ callback: FlagCallback<FlagEvent>) -> FlagToken {
        var isDue = false
        let id: Int? = state.withLock { state in
            for event in state.machine.greeting where callback.post(event) { isDue = true }
            return state.machine.phase == .closed ? nil : state.hub.addListener(.callback(callback))
        }
        if isDue { callback.schedule() }
        guard let id else { return ended(callback) }
        return FlagToken { [weak self] in
            callback.cancel()
            self?.state.withLock { $0.hub.removeListener(id) }
        }
    }

    /// The changes from now on.
    func observe() -> FlagChanges {
        let (bell, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let box = ChangeBox(bell: continuation)
        let id: Int? = state.withLock { state in
            state.machine.phase == .closed ? nil : state.hub.addObserver(.stream(box))
        }
        if let id {
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.hub.removeObserver(id) }
            }
        } else {
            continuation.finish()
        }
        return FlagChanges(box: box, bell: bell)
    }

    /// A token for a client that has nothing more to say.
    private func ended<Message>(_ callback: FlagCallback<Message>) -> FlagToken {
        callback.finish()
        return FlagToken { callback.cancel() }
    }
}
