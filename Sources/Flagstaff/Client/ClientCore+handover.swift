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
    /// Queues effects from here on: no thread begins to perform them before ``performDeferredEffects()``.
    ///
    /// Events are handled as ever: values can be read and watchers are told when an event's report returns. A thread
    /// that is performing effects already goes on with what comes. Several can defer at once.
    package func deferEffects() {
        state.withLock { $0.deferrals += 1 }
    }

    /// Ends what ``deferEffects()`` began, and performs what was queued, unless others still defer or perform.
    package func performDeferredEffects() {
        let isPerformer = state.withLock { state in
            state.deferrals -= 1
            return state.beginPerforming()
        }
        if isPerformer { performEffects() }
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
    /// Whether the caller is the one to perform what is queued, from now on.
    mutating func beginPerforming() -> Bool {
        if isPerforming || deferrals > 0 || effects.isEmpty { return false }
        isPerforming = true
        return true
    }

    /// What the calls that wait for a fetch are for.
    func purposes(ofFetch id: Int) -> Set<RequestPurpose> {
        Set(machine.waiters.filter { $0.after < id }.compactMap { purposes[$0.waiter.id] })
    }
}
