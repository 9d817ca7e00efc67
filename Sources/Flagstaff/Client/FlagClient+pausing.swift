public import Foundation

extension FlagClient {
    /// Closes all connections until ``resume(timeout:)``.
    ///
    /// Reads go on giving the last values. Calls that wait return ``FlagUpdateOutcome/paused`` at once; a context that
    /// is set meanwhile takes effect, and its values come with `resume`. The app's return from the background does not
    /// end this pause. Calling it again does nothing.
    public func pause() {
        core.pause()
    }

    /// Works again after ``pause()``, and asks for the values of now.
    ///
    /// - Parameter timeout: How long to wait at most, in seconds. Default 5. 0 does not wait.
    /// - Returns: How it ended.
    @discardableResult
    public func resume(timeout: TimeInterval = 5) async -> FlagUpdateOutcome {
        await core.resume(timeout: timeout)
    }
}
