import Foundation

extension ClientMachine {
    /// Whether the values in effect are those of the context in effect.
    var holdsContext: Bool { snapshot.isReady && !snapshot.isStale }

    /// The time to write on values that arrive now.
    var time: Date { Date(timeIntervalSince1970: now.wall) }

    /// Puts values of the context in effect into effect and says what that changed.
    mutating func apply(_ next: FlagSnapshot) {
        let keys = next.changedKeys(since: snapshot)
        snapshot = next
        act(.store(next, changedKeys: keys))
        if announcesContext {
            announcesContext = false
            act(.emit(FlagEvent(kind: .contextChanged)))
        }
        if !wasReady {
            wasReady = true
            act(.emit(FlagEvent(kind: .ready)))
        } else if !keys.isEmpty {
            act(.emit(FlagEvent(kind: .changed, changedKeys: keys)))
        }
    }

    /// The service delivers: tells the listeners, if they thought otherwise.
    mutating func linkIsUp() {
        guard link != .up else { return }
        link = .up
        act(.emit(FlagEvent(kind: .connected)))
    }

    /// The service does not deliver: tells the listeners, if there is something that can get stale.
    mutating func linkIsDown(_ error: FlagClientError) {
        guard link != .down else { return }
        link = .down
        if wasReady { act(.emit(FlagEvent(kind: .stale, error: error))) }
    }

    /// Notes a failure and the time before which the service wants no call.
    mutating func record(_ failure: ServiceFailure) -> FlagClientError {
        var error = failure.error
        if let retryAfter = failure.retryAfter {
            let seconds = retryAfter.delay(now: Int64(now.wall), cap: settings.retryAfterCap)
            error.retryAfter = Double(seconds)
        }
        lastError = error
        return error
    }

    /// The service refused the client: nothing more until the app asks again.
    ///
    /// Values stay.
    mutating func stop(_ error: FlagClientError) {
        phase = .stopped
        halt()
        failedFetches = 0
        link = .down
        act(.log(.error, "stopped: \(error)"))
        complete(.failed(error)) { _ in true }
        act(.emit(FlagEvent(kind: .stopped, error: error)))
    }

    /// What the client is doing.
    var status: FlagClientStatus {
        FlagClientStatus(connection: connection, isReady: snapshot.isReady, lastError: lastError)
    }

    private var connection: FlagClientStatus.Connection {
        switch phase {
        case .idle: return .idle
        case .stopped: return .stopped
        case .closed: return .closed
        case .running: break
        }
        if !streams.isEmpty, streams.allSatisfy(\.isSynced), holdsContext { return .streaming }
        if fetch == nil, timers[.fetch] == nil, streams.isEmpty { return .idle }
        return holdsContext && failedFetches == 0 && pollInterval != nil ? .polling : .connecting
    }
}
