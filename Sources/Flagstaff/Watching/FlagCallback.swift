import FlagLocking

/// A callback that may have something to deliver.
protocol PendingCallback: Sendable {
    /// Sees to it that what is pending gets delivered.
    ///
    /// To be called outside all locks, once for each `true` of a post.
    func schedule()
}

/// A registered callback: takes messages inside the client's lock and delivers them on its executor.
///
/// At most one delivery is under way or waits on the executor, so there is no task or thread of its own, and the calls
/// come in order on a concurrent queue too. What waits is bounded by how messages are admitted.
final class FlagCallback<Message: Sendable>: PendingCallback {
    /// Adds a message to those that wait.
    typealias Admission = @Sendable (inout [Message], Message) -> Void

    private struct State: Sendable {
        /// `nil` once it is over.
        var body: (@Sendable (Message) -> Void)?
        var pending: [Message] = []
        /// Whether a delivery is under way or waits on the executor.
        var isScheduled = false
        /// Whether the client has nothing more to say.
        var isFinished = false
    }

    private let state: Lock<State>
    private let executor: FlagCallbackExecutor
    private let admit: Admission

    init(
        on executor: FlagCallbackExecutor, admit: @escaping Admission,
        _ body: @escaping @Sendable (Message) -> Void
    ) {
        state = Lock(State(body: body))
        self.executor = executor
        self.admit = admit
    }

    /// Takes a message; `true` when ``schedule()`` is due.
    func post(_ message: Message) -> Bool {
        state.withLock { state in
            guard state.body != nil, !state.isFinished else { return false }
            admit(&state.pending, message)
            if state.isScheduled { return false }
            state.isScheduled = true
            return true
        }
    }

    func schedule() {
        guard let enqueue = executor.enqueue else {
            while deliverNext() {}
            return
        }
        enqueue { self.deliver() }
    }

    /// Says that nothing more comes: what waits is still delivered, then the body is let go of.
    func finish() {
        let body = state.withLock { state in
            state.isFinished = true
            return state.isScheduled ? nil : Self.end(&state)
        }
        withExtendedLifetime(body) {}
    }

    /// Drops what waits and lets go of the body.
    func cancel() {
        let ended = state.withLock { state in
            let pending = state.pending
            state.pending = []
            return (Self.end(&state), pending)
        }
        withExtendedLifetime(ended) {}
    }

    private func deliver() {
        // A callback that is kept busy gives way to the other work of its executor now and then.
        for _ in 0..<64 {
            guard deliverNext() else { return }
        }
        schedule()
    }

    /// Delivers one message; `false` when none is left, and then the next post asks for a delivery again.
    private func deliverNext() -> Bool {
        let (next, ended) = state.withLock { state -> (Delivery?, (@Sendable (Message) -> Void)?) in
            if let body = state.body, !state.pending.isEmpty {
                return (Delivery(body: body, message: state.pending.removeFirst()), nil)
            }
            state.isScheduled = false
            return (nil, state.isFinished ? Self.end(&state) : nil)
        }
        // Let go of outside the lock: what it captured can have a deinitializer of the app's.
        withExtendedLifetime(ended) {}
        guard let next else { return false }
        next.body(next.message)
        return true
    }

    private static func end(_ state: inout State) -> (@Sendable (Message) -> Void)? {
        defer { state.body = nil }
        return state.body
    }

    private struct Delivery {
        let body: @Sendable (Message) -> Void
        let message: Message
    }
}

extension FlagCallback<FlagChange> {
    /// A callback that is told of changes: those that wait are merged into one.
    convenience init(
        merging: @escaping @Sendable (FlagChange, FlagChange) -> FlagChange,
        on executor: FlagCallbackExecutor,
        _ body: @escaping @Sendable (FlagChange) -> Void
    ) {
        self.init(
            on: executor,
            admit: { pending, change in pending = [pending.first.map { merging($0, change) } ?? change] },
            body)
    }
}

extension FlagCallback<FlagEvent> {
    /// A callback that is told of events: of those that wait, the newest are kept.
    convenience init(on executor: FlagCallbackExecutor, _ body: @escaping @Sendable (FlagEvent) -> Void) {
        self.init(
            on: executor,
            admit: { pending, event in
                if pending.count >= WatcherHub.eventLimit { pending.removeFirst() }
                pending.append(event)
            }, body)
    }
}
