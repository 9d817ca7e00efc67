public import Foundation

// For code that cannot await: what these do has taken effect when they return, and the rest comes when it comes.

extension FlagClient {
    /// Like ``start(context:timeout:)``, for code that does not wait.
    ///
    /// The context is in effect when this returns; ``waitUntilReady(timeout:)``, ``events`` and callbacks tell of its
    /// values. Calls from one thread take effect in their order, those of ``setContextInBackground(_:)`` among them.
    ///
    /// - Parameter context: Whom the flags are evaluated for from now on.
    public func startInBackground(context: FlagContext) {
        core.changeUnawaited(to: context, purpose: .start)
    }

    /// Like ``setContext(_:timeout:)``, for code that does not wait.
    ///
    /// The context is in effect when this returns, and the former context's values are gone where
    /// ``FlagClientConfiguration/contextSwitch`` says so.
    ///
    /// - Parameter context: Whom the flags are evaluated for from now on.
    public func setContextInBackground(_ context: FlagContext) {
        core.changeUnawaited(to: context, purpose: .contextChange)
    }

    /// Forgets all values: those in effect and what is stored of all contexts, for a user who signs out.
    ///
    /// Reads give the code's defaults when this returns. A client at work asks for new values, as after a change of
    /// context: with ``FlagClientConfiguration/contextChangeDelay``, so that a context that is set right afterwards makes
    /// the same request. One that the service refused, and a closed one, only forgets.
    public func discardValues() {
        core.discardValues()
    }

    /// Waits until there are values, the service's or stored ones.
    ///
    /// It asks for nothing, can be called before the client is started, and goes on waiting while attempts fail and the
    /// context changes. A client that the service refuses, and a closed one, is not waited for.
    ///
    /// - Parameter timeout: How long to wait at most, in seconds. 0 does not wait.
    /// - Returns: Whether there are values.
    public func waitUntilReady(timeout: TimeInterval) async -> Bool {
        await core.waitForValues(timeout: timeout, takesCached: true).kind == .cached
    }

    /// Waits until there are values from the service, as ``waitUntilReady(timeout:)`` waits for any.
    ///
    /// - Parameter timeout: How long to wait at most, in seconds. 0 does not wait.
    /// - Returns: Whether there are.
    public func waitUntilFresh(timeout: TimeInterval) async -> Bool {
        await core.waitForValues(timeout: timeout, takesCached: false).kind == .cached
    }
}
