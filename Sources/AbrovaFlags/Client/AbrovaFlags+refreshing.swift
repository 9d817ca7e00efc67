import Flagstaff
import Foundation

extension AbrovaFlags {
    /// Fetches values, and lets automatic fetches go on after a refusal.
    ///
    /// Takes at most a little more than twice ``AbrovaFlagsConfig/requestTimeoutSeconds``: a request that is under way is
    /// waited for. While the service asks to wait (429), nothing is sent.
    ///
    /// - Returns: Whether the values are current now, changed or not.
    @discardableResult
    public func refresh() async -> Bool {
        await client.refresh(timeout: refreshLimit).isFresh
    }

    /// Fetches values like ``refresh()``, for code that cannot await.
    ///
    /// - Parameter completion: Called once, on the main thread, with whether the values are current now.
    public func refresh(completion: @escaping (Bool) -> Void) {
        let completion = MainThreadCallback(completion)
        Task.detached { [self] in
            let isCurrent = await refresh()
            completion.call(with: isCurrent)
        }
    }
}
