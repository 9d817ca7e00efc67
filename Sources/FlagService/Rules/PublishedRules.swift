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
        var selections: [FlagSelector: FlagSelection] = [:]
        /// How many of the selections are of several sets.
        var combinations = 0
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

    /// How many combinations of flag sets are kept ready: more than apps ask for, while anyone can make up others.
    static let maximumCombinations = 256

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
                state.selections = [:]
                state.combinations = 0
                state.publishCount += 1
                return true
            }
        }
    }

    /// The rules in force as a kind of request sees them; `nil` before the first rules.
    package func view(as identity: FlagView.Identity) -> FlagView? {
        let (rules, ready, known) = state.withLock {
            ($0.rules, $0.views[identity], $0.selections[identity.selector])
        }
        if let ready { return ready }
        guard let rules else { return nil }
        // Made outside the lock; if two threads make the same one, the first to be kept serves both.
        let made = known ?? FlagSelection(of: rules, selector: identity.selector)
        let selection = keep(made, of: rules)
        let view = FlagView(of: selection, as: identity, eventStreams: eventStreams(identity))
        return state.withLock { state in
            guard state.rules === rules, state.selections[identity.selector] === selection else {
                return view
            }
            if let ready = state.views[identity] { return ready }
            state.views[identity] = view
            return view
        }
    }

    /// Keeps a selection for all who ask for the same, and returns the one that is kept.
    ///
    /// Selections of nothing are not kept, so that made-up names take no memory; nor are those of several sets beyond
    /// ``maximumCombinations``, which are made for each request then.
    private func keep(_ made: FlagSelection, of rules: Ruleset) -> FlagSelection {
        state.withLock { state in
            guard state.rules === rules, !made.flags.isEmpty || made.selector == .all else { return made }
            if let kept = state.selections[made.selector] { return kept }
            if case .flagSets = made.selector.choice {
                guard state.combinations < Self.maximumCombinations else { return made }
                state.combinations += 1
            }
            state.selections[made.selector] = made
            return made
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
