import FlagEvaluation
import FlagLocking
package import FlagModel
package import FlagStore

/// The rules in force, and whether their source is in order.
///
/// Safe to use from any thread.
package final class PublishedRules: Sendable {
    private struct State {
        var rules: Ruleset?
        var fault: FlagSourceFault?
        var views: [FlagView.Identity: FlagView] = [:]
        var publishCount = 0
    }

    /// What there is to tell about the rules.
    package struct Status: Sendable {
        /// How many flags are in force; `nil` before the first rules.
        package var flagCount: Int?
        /// A digest of the rules in force.
        package var fingerprint: Fingerprint?
        /// What the source reports at the moment.
        package var fault: FlagSourceFault?
        /// How often rules were put in force.
        package var publishCount: Int
    }

    private let state = Lock(State())
    private let eventStreams: @Sendable (FlagView.Identity) -> [EventStream]

    /// Makes an empty store.
    ///
    /// - Parameter eventStreams: The change streams that an answer announces.
    package init(eventStreams: @escaping @Sendable (FlagView.Identity) -> [EventStream]) {
        self.eventStreams = eventStreams
    }

    /// Takes what a source delivers, and returns whether other rules than before are in force now.
    package func take(_ update: FlagSourceUpdate) -> Bool {
        state.withLock { state in
            switch update {
            case .fault(let fault):
                state.fault = fault
                return false
            case .rules(let rules):
                state.fault = nil
                guard rules.fingerprint != state.rules?.fingerprint else { return false }
                state.rules = rules
                state.views = [:]
                state.publishCount += 1
                return true
            }
        }
    }

    /// The rules in force as a kind of request sees them; `nil` before the first rules.
    package func view(as identity: FlagView.Identity) -> FlagView? {
        let (rules, ready) = state.withLock { ($0.rules, $0.views[identity]) }
        if let ready { return ready }
        guard let rules else { return nil }
        // Made outside the lock; if two threads make the same one, the first to be kept serves both.
        let view = FlagView(of: rules, as: identity, eventStreams: eventStreams(identity))
        return state.withLock { state in
            guard state.rules === rules else { return view }
            if let ready = state.views[identity] { return ready }
            // Views of selectors that select nothing are not kept, so that made-up names take no memory.
            if !view.flags.isEmpty || identity.selector == .all { state.views[identity] = view }
            return view
        }
    }

    /// What there is to tell at the moment.
    package var status: Status {
        state.withLock { state in
            Status(
                flagCount: state.rules?.flags.count, fingerprint: state.rules?.fingerprint,
                fault: state.fault,
                publishCount: state.publishCount)
        }
    }
}
