import FlagLocking
import Flagstaff

extension AbrovaFlags {
    /// The random id of this installation, a UUID: made once, kept on the device, sent with every request.
    ///
    /// Rollouts follow it while nobody is signed in. It survives ``reset()``. The first call of the process waits for the
    /// device, about a millisecond.
    public var anonymousId: String { memory.anonymousID }

    /// Says who the user is and what is known of them.
    ///
    /// Attributes can be texts of up to 1,024 characters, finite numbers, `Bool`, `nil` or `NSNull`, and arrays of those;
    /// at most 100. Others are dropped with a warning. All of them replace the former ones: nothing is merged.
    ///
    /// Another user loses the former one's values at once. New values are fetched 250 ms later, so that several calls in a
    /// row make one request; a call that changes nothing makes none. User and attributes are remembered for the next
    /// start.
    ///
    /// - Parameters:
    ///   - userId: The user's id. Empty text stands for nobody.
    ///   - attributes: What is known of the user. Default: nothing.
    public func identify(_ userId: String, attributes: [String: Any?] = [:]) {
        let attributes = checked(attributes)
        change { identity in
            identity.userID = userId.isEmpty ? nil : userId
            identity.attributes = attributes
        }
    }

    /// Replaces all attributes; the user stays.
    ///
    /// The values stay until the new ones arrive.
    ///
    /// - Parameter attributes: What is known of the user, as in ``identify(_:attributes:)``.
    public func setAttributes(_ attributes: [String: Any?]) {
        let attributes = checked(attributes)
        change { $0.attributes = attributes }
    }

    /// Sets or removes the user; the attributes stay.
    ///
    /// - Parameter userId: The user's id; `nil`, and empty text, for nobody.
    public func setUserId(_ userId: String?) {
        change { $0.userID = userId?.isEmpty == true ? nil : userId }
    }

    /// Forgets the user, the attributes and all values, in memory and on the device, for a sign-out.
    ///
    /// ``anonymousId`` stays. New values are fetched.
    public func reset() {
        memory.load()
        state.withLock { state in
            let former = identity(&state)
            client.discardValues()
            if former == Identity() { return }
            replace(with: Identity(), &state)
        }
    }

    /// Makes a new ``anonymousId``, and fetches the values that go with it; the present ones stay until then.
    public func resetAnonymousId() {
        memory.load()
        state.withLock { state in
            let identity = identity(&state)
            memory.resetAnonymousID()
            if state.isStarted { client.setContextInBackground(context(of: identity)) }
        }
    }

    private func change(_ edit: (inout Identity) -> Void) {
        memory.load()
        state.withLock { state in
            let former = identity(&state)
            var next = former
            edit(&next)
            if next == former { return }
            // Before the context, so that no moment has the one user's values and the other one's context.
            if next.userID != former.userID { client.discardValues() }
            replace(with: next, &state)
        }
    }

    private func replace(with next: Identity, _ state: inout State) {
        state.identity = next
        memory.remember(next)
        if state.isStarted { client.setContextInBackground(context(of: next)) }
    }

    private func checked(_ attributes: [String: Any?]) -> [String: FlagValue] {
        let (accepted, warnings) = Attributes.check(attributes)
        for warning in warnings { logger.warning(warning) }
        return accepted
    }
}
