import FlagLocking
#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension ServerCore {
    /// Whether a request is being received or answered.
    var hasRunningRequests: Bool {
        connections.contains { $0.state.withLock { $0.isBusy } }
    }

    /// Blocks until no request is being received or answered, or until the deadline.
    ///
    /// Looks again and again: counting busy connections instead would cost every request a shared lock.
    func waitUntilIdle(deadline: Int64) {
        while hasRunningRequests, MonotonicClock.now < deadline {
            usleep(5000)
        }
    }
}
