import Flagstaff

/// Keeps a callback registered: see ``Quonfig/subscribe(_:)``.
///
/// The callback ends with ``cancel()``, and when the token is let go of.
public final class SubscriptionToken: Sendable {
    private let token: FlagToken

    init(_ token: FlagToken) {
        self.token = token
    }

    /// Ends the calls.
    ///
    /// Called on the main thread, nothing is called any more once this returns. Calling it again does nothing.
    public func cancel() {
        token.cancel()
    }
}
