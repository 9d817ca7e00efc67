import FlagLocking
package import FlagModel

/// The connection of a client's own stream, as the client sees it.
package struct EvaluationsConnection: Hashable, Sendable {
    /// The number under which the transport opens it, or is about to.
    package var id: Int
    /// Whom its values are for.
    package var context: FlagContext
    /// The state that the client has, where it holds values of the context.
    package var etag: String?
}

// A service within the same process hands over values without a gap in which a client has its answer and not yet its
// stream: what is queued for another thread to do need not be done first.
extension ClientCore {
    /// Queues effects from here on without performing them, unless a thread is at it already.
    ///
    /// Events are handled as ever: values can be read and watchers are told when an event's report returns.
    ///
    /// - Returns: Whether the caller must call ``performDeferredEffects()``.
    package func deferEffects() -> Bool {
        state.withLock { state in
            if state.isPerforming { return false }
            state.isPerforming = true
            return true
        }
    }

    /// Performs what was queued since ``deferEffects()`` returned `true`.
    package func performDeferredEffects() {
        performEffects()
    }

    /// The connection of `flagstaff.evaluations` that the client uses or has decided to open; `nil` for none.
    package var evaluationsConnection: EvaluationsConnection? {
        state.withLock { state in
            let machine = state.machine
            guard let id = machine.streams.first(where: { $0.kind == .evaluations })?.id else { return nil }
            return EvaluationsConnection(
                id: id, context: machine.context, etag: machine.holdsContext ? machine.snapshot.etag : nil)
        }
    }

    /// Takes messages of a connection before its transport is asked to open it.
    ///
    /// - Parameters:
    ///   - messages: The connection's first messages.
    ///   - id: The connection's number.
    package func receive(_ messages: [EvaluationsMessage], on id: Int) {
        handle(.stream(id, [.opened] + messages.map { .evaluations($0, id: nil) }))
    }
}

extension ClientCore.State {
    /// What the calls that wait for a fetch are for.
    func purposes(ofFetch id: Int) -> Set<RequestPurpose> {
        Set(machine.waiters.filter { $0.after < id }.compactMap { purposes[$0.waiter.id] })
    }
}
