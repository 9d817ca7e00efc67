extension ClientMachine {
    /// The events that tell a newcomer how things are.
    var greeting: [FlagEvent] {
        var events: [FlagEvent] = []
        if wasReady { events.append(FlagEvent(kind: .ready)) }
        if phase == .closed { events.append(FlagEvent(kind: .closed)) }
        return events
    }
}
