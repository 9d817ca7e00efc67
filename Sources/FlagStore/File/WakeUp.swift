#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

import FlagLocking

/// A pipe that ends a wait in `poll` from another thread.
final class WakeUp: Sendable {
    /// Readable once ``stop()`` was called.
    let descriptor: Int32
    private let writeEnd: Int32
    private let stopped = Lock(false)

    /// Whether ``stop()`` was called: for waits that ended by time, in case there was no pipe to be had.
    var isStopped: Bool { stopped.withLock { $0 } }

    init() {
        var ends: [Int32] = [-1, -1]
        // Without a pipe (no descriptors left) a wait ends by its time limit alone.
        _ = pipe(&ends)
        descriptor = ends[0]
        writeEnd = ends[1]
        for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        for end in [descriptor, writeEnd] where end >= 0 { close(end) }
    }

    func stop() {
        stopped.withLock { $0 = true }
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }
}
