extension ClientMachine {
    /// Added where a timer that fires a rounding error too early would only be set again, for nothing.
    static let margin = 0.001

    /// Sets a timer, in place of an earlier setting.
    mutating func schedule(_ timer: ClientTimer, after delay: Double) {
        let token = nextNumber()
        timers[timer] = token
        act(.schedule(timer, token: token, after: max(0, delay)))
    }

    /// Takes a timer back, if it is set.
    mutating func cancel(_ timer: ClientTimer) {
        if timers.removeValue(forKey: timer) != nil { act(.cancelTimer(timer)) }
    }

    /// A timer fired.
    ///
    /// One that was taken back or set anew meanwhile is passed over.
    mutating func fired(_ timer: ClientTimer, _ token: Int) {
        guard timers[timer] == token else { return }
        timers[timer] = nil
        switch timer {
        case .fetch: requestFetch(wish ?? FetchWish(cause: .poll))
        case .cacheLimit: cacheIsLate()
        case .settling: goOn()
        case .fetchDeadline: fetchOverdue()
        case .reconnect(let slot): reconnect(slot: slot)
        case .silence(let slot): checkSilence(slot: slot)
        case .waiter(let id):
            complete(FlagUpdateOutcome(kind: .timedOut, error: lastError)) { $0.waiter.id == id }
        }
    }
}
