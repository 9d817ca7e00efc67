private import Foundation

/// Where the life cycle gets its moments and timers from.
package protocol TimeSource: Sendable {
    /// The present moment.
    func now() -> Moment

    /// Runs the body once, later, on any thread, unless it is cancelled before.
    ///
    /// - Parameters:
    ///   - delay: In how many seconds.
    ///   - body: What to run.
    /// - Returns: What takes the timer back.
    func schedule(after delay: Double, _ body: @escaping @Sendable () -> Void) -> any ScheduledTimer
}

/// A timer that was set.
package protocol ScheduledTimer: Sendable {
    /// Takes the timer back; nothing happens when it has fired.
    func cancel()
}

/// The system's time.
package struct SystemTime: TimeSource {
    /// Makes the source; all are one.
    package init() {}

    /// The present moment.
    package func now() -> Moment {
        Moment(
            uptime: Self.uptime, wall: Date().timeIntervalSince1970,
            random: Double.random(in: 0..<1))
    }

    /// Seconds of a clock that nobody sets and that goes on while the device sleeps: values age in a pocket too.
    private static var uptime: Double {
        var time = timespec()
        #if canImport(Darwin)
            clock_gettime(CLOCK_MONOTONIC, &time)
        #else
            clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Runs the body once, later, on a thread of Swift's pool, unless it is cancelled before.
    package func schedule(after delay: Double, _ body: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        // Written so that a number that is none means at once; a year is as good as never.
        let seconds = delay > 0 ? min(delay, 365 * 86400) : 0
        return SystemTimer(
            // Detached: a timer goes on with neither the priority nor the task-local values of whoever began.
            task: Task.detached {
                try? await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
                if !Task.isCancelled { body() }
            })
    }

    private struct SystemTimer: ScheduledTimer {
        let task: Task<Void, Never>

        func cancel() { task.cancel() }
    }
}
