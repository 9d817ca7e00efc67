import FlagLocking

extension ClientCore {
    /// Calls back when a flag changes.
    func register(_ callback: FlagCallback<FlagChange>, of key: String) -> FlagToken {
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
