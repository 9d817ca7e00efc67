import ConfigDirector
import FlagLocking
import Flagstaff
import FlagstaffTesting

/// Lets a client's calls wait or fail as a test has planned it.
///
/// What is planned is kept for each kind of call. Only when a call's turn has come is the service told, and its plan is
/// taken back when the call returns; so a plan never hits another call, nor an attempt that nobody waits for.
final class CallControl: ConnectionObserver {
    private enum Plan: Sendable {
        case hold
        case fail
    }

    private enum Decision: Sendable {
        case complete
        case fail
    }

    private struct State: Sendable {
        var plans: [ConnectReason: Plan] = [:]
        /// Which call is under way.
        var current: ConnectReason?
        /// Whether that one is held.
        var isHeld = false
        /// Whether it is about to be, and what the test has decided meanwhile.
        var isArming = false
        var decision: Decision?
        var contexts: [ConfigDirectorContext] = []
    }

    private let state = Lock(State())
    private let service: TestFlagService
    /// What a call asks the service with.
    private static let kinds: [TestRequest.Kind] = [.start, .contextChange, .refresh]

    init(_ service: TestFlagService) {
        self.service = service
    }

    /// The contexts of the calls so far.
    var contexts: [ConfigDirectorContext] { state.withLock { $0.contexts } }

    // MARK: The test's side

    func hold(_ reason: ConnectReason) {
        state.withLock { $0.plans[reason] = .hold }
    }

    func complete(_ reason: ConnectReason) {
        guard take(reason, instead: nil) else { return }
        for kind in Self.kinds { service.complete(kind) }
    }

    func fail(_ reason: ConnectReason) {
        guard take(reason, instead: .fail) else { return }
        for kind in Self.kinds { service.fail(kind, with: .unauthorized) }
    }

    /// Takes the call of that kind that is held; where none is, puts another plan in place for the next one.
    private func take(_ reason: ConnectReason, instead plan: Plan?) -> Bool {
        state.withLock { state in
            if state.current == reason, state.isHeld {
                state.isHeld = false
                return true
            }
            if state.current == reason, state.isArming {
                state.decision = plan == .fail ? .fail : .complete
                return false
            }
            state.plans[reason] = plan
            return false
        }
    }

    func disarm() {
        state.withLock { $0.plans = [:] }
    }

    // MARK: The client's side

    func called(_ reason: ConnectReason, context: ConfigDirectorContext?) {
        guard reason != .networkResume else { return }
        state.withLock { $0.contexts.append(context ?? ConfigDirectorContext()) }
    }

    func begins(_ reason: ConnectReason) {
        let plan = state.withLock { state in
            let plan = state.plans.removeValue(forKey: reason)
            state.current = reason
            state.isArming = plan == .hold
            state.decision = nil
            return plan
        }
        for kind in Self.kinds {
            switch plan {
            case .hold: service.holdNext(kind)
            case .fail: service.fail(kind, with: .unauthorized)
            case nil: break
            }
        }
        let decision = state.withLock { state in
            state.isHeld = state.isArming && state.decision == nil
            state.isArming = false
            return state.decision
        }
        for kind in Self.kinds {
            switch decision {
            case .complete: service.complete(kind)
            case .fail: service.fail(kind, with: .unauthorized)
            case nil: break
            }
        }
    }

    func ends() {
        state.withLock { state in
            state.current = nil
            state.isHeld = false
        }
        service.disarm()
        for kind in Self.kinds { service.abandon(kind) }
    }
}
