import Flagstaff

extension ConfigDirectorClient {
    /// Connects, and waits until values are here or the time limit is up; then the client goes on trying.
    ///
    /// Calls of this, ``updateContext(_:)`` and ``resumeNetwork()`` run one after the other. After ``close()`` it does
    /// nothing.
    ///
    /// - Parameter context: Whom configs are evaluated for. Default: nobody in particular.
    public func initialize(context: ConfigDirectorContext? = nil) async {
        await connect(.initialization, ConnectionState.Attempt.Pending(context: context))
    }

    /// Connects for another context, and waits until its values are here or the time limit is up.
    ///
    /// Until then reads give the values of the context before. After ``close()`` it does nothing.
    ///
    /// - Parameter context: Whom configs are evaluated for from then on.
    public func updateContext(_ context: ConfigDirectorContext) async {
        await connect(.contextUpdate, ConnectionState.Attempt.Pending(context: context))
    }

    /// Connects again after ``pauseNetwork()``, for the context that was given last, and waits for its values within the
    /// time limit.
    public func resumeNetwork() async {
        await connect(.networkResume, nil)
    }

    /// Closes the connection until the next call that connects.
    ///
    /// Values stay, and so do all sequences. Calls that wait return at once, and so do those that wait for their turn.
    public func pauseNetwork() {
        hub.update { state in
            state.pause()
            return ConnectionState.News()
        }
        flags.pause()
    }

    /// Ends all work for good: the connection, all sequences, and calls that wait; what is left to report is reported.
    ///
    /// Reads go on giving the last values. Calling it again does nothing.
    public func close() {
        guard hub.close() else { return }
        flags.finish()
        reader.evaluations.finish()
    }

    private func connect(_ reason: ConnectReason, _ context: ConnectionState.Attempt.Pending?) async {
        let call: ConnectionState.Call? = hub.update { state in
            (state.isClosed ? nil : state.call(reason), ConnectionState.News())
        }
        guard let call else { return }
        observer?.called(reason, context: context?.context)
        await queue.enter()
        defer { queue.leave() }
        let version = flags.snapshot.version
        let turn = hub.update { state in
            let turn = state.begin(call, context, version: version)
            if case .passedOver(_, let news) = turn { return (turn, news) }
            return (turn, ConnectionState.News())
        }
        switch turn {
        case .closed:
            break
        case .passedOver(let context, _):
            // The client rests, and takes the context along.
            await flags.setContext(flagContext(context), timeout: 0)
        case .connect(let attempt, let given):
            observer?.begins(reason)
            let outcome = await flags.reconnect(context: flagContext(given), timeout: timeout)
            settle(attempt.id, outcome)
            observer?.ends()
        }
    }

    private func settle(_ id: Int, _ outcome: FlagUpdateOutcome) {
        switch outcome.kind {
        case .fresh, .failed:
            // The client's events have told.
            break
        default:
            hub.update { $0.interrupted(id, isCancelled: outcome.kind == .cancelled) }
        }
    }

    private func flagContext(_ context: ConfigDirectorContext?) -> FlagContext {
        (context ?? ConfigDirectorContext()).flagContext(app: app, clientID: clientID)
    }
}
