#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension ServerCore {
    /// Blocks until no request is being received or answered, or until the deadline.
    ///
    /// Looks again and again: counting busy connections instead would cost every request a shared lock.
    func waitUntilIdle(deadline: Int64) {
        while connections.contains(where: { $0.state.withLock { $0.isBusy } }), MonotonicClock.now < deadline
        {
            usleep(5000)
        }
    }
}
