extension ClientCore {
    /// Lets telemetry follow an event, in the order in which the client itself took it: calls that overlap return in
    /// any order.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - count: How many effects there were before it.
    ///   - state: The state, with the event's effects.
    func tellTelemetry(of event: ClientEvent, after count: Int, _ state: inout State) {
        if telemetry == nil { return }
        switch event {
        case .change(let context, let waiter), .reconnect(let context, let waiter):
            if case .reconnect = event { state.isInBackground = false }
            // Last, so that flags are asked for before anything is reported; but no call returns before it.
            let hasReturned = state.calls[waiter.id] == nil
            let index = hasReturned ? count : state.effects.count
            state.effects.insert(.report(.contextSet(context)), at: index)
        case .background:
            state.isInBackground = true
        case .foreground, .resume:
            state.isInBackground = false
        default:
            break
        }
        let rests = state.isInBackground || state.machine.pauses.contains(.app)
        if rests == state.restsReports { return }
        state.restsReports = rests
        state.effects.append(.report(rests ? .background : .foreground))
    }
}
