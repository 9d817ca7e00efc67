package import Flagstaff
import FlagLocking
public import Foundation

/// A clock in the hand of a test: a client's timers fire when the test moves it.
///
/// ```swift
/// let clock = TestClock()
/// let flags = service.makeClient(clock: clock) { $0.sync = .polling(every: 60) }
/// await flags.start(context: FlagContext(key: "user-123"))
/// service.setValue(30, for: "max-items")
/// clock.advance(by: 66)
/// ```
///
/// Two times are kept apart, as on a device: the time that passes, which timers follow and which only goes forward, and
/// the ``date``, which a user or a time server can set in both directions.
///
/// Timers run on the thread that calls ``advance(by:)``. What they cause is done when it returns, unless another thread
/// is at work on the same client at that moment, which then does it.
public final class TestClock: Sendable {
    private struct Timer: Sendable {
        let due: Double
        let body: @Sendable () -> Void
    }

    private struct State: Sendable {
        var uptime = 1000.0
        /// What makes the time that has passed a date.
        var offset: Double
        var random: Double
        var lastID = 0
        var timers: [Int: Timer] = [:]
    }

    private let state: Lock<State>

    /// Makes a clock that stands still.
    ///
    /// - Parameters:
    ///   - date: The date that it shows at first. Default: a day in January 2027.
    ///   - random: What the dice of clients on this clock show, from 0 up to but not including 1: it varies intervals
    ///     (0.5 leaves them as they are) and decides which part of a back-off is waited for. Default 0.5.
    public init(date: Date = Date(timeIntervalSince1970: 1_800_000_000), random: Double = 0.5) {
        precondition(
            random >= 0 && random < 1, "the dice of a TestClock show a number from 0 up to but not 1")
        state = Lock(State(offset: date.timeIntervalSince1970 - 1000, random: random))
    }

    /// The date that clients see.
    ///
    /// Setting it, back or forth, fires no timer.
    public var date: Date {
        get { state.withLock { Date(timeIntervalSince1970: $0.uptime + $0.offset) } }
        set { state.withLock { $0.offset = newValue.timeIntervalSince1970 - $0.uptime } }
    }

    /// In how many seconds each timer that is set fires, sorted.
    ///
    /// Those of the service count as well: a heartbeat for each open stream, and answers that are delayed.
    public var pendingTimers: [TimeInterval] {
        state.withLock { state in state.timers.values.map { $0.due - state.uptime }.sorted() }
    }

    /// Lets time pass and fires what becomes due, in order, each at its time.
    ///
    /// Timers that are set meanwhile fire too, where their time comes. May be called from within a timer.
    ///
    /// - Parameter seconds: How much time passes; at least 0. 0 fires what is due at once.
    public func advance(by seconds: TimeInterval) {
        precondition(
            seconds >= 0 && seconds < .infinity,
            "time passes by a number of seconds that is not negative: set `date` to turn the date back")
        let end = state.withLock { $0.uptime + seconds }
        while let body = nextDue(by: end) { body() }
    }

    /// Lets time pass until the next timer, and fires it.
    ///
    /// - Returns: How many seconds passed; `nil` when no timer is set.
    @discardableResult
    public func advanceToNextTimer() -> TimeInterval? {
        let next: TimeInterval? = state.withLock { state in
            state.timers.values.map(\.due).min().map { max(0, $0 - state.uptime) }
        }
        if let next { advance(by: next) }
        return next
    }

    private func nextDue(by end: Double) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let next = state.timers.min { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
            guard let (id, timer) = next, timer.due <= end else {
                // A timer may have moved the clock further.
                state.uptime = max(state.uptime, end)
                return nil
            }
            state.uptime = max(state.uptime, timer.due)
            state.timers[id] = nil
            return timer.body
        }
    }

    private struct Scheduled: ScheduledTimer {
        let clock: TestClock
        let id: Int

        func cancel() {
            let timer = clock.state.withLock { $0.timers.removeValue(forKey: id) }
            // Let go of outside the lock.
            withExtendedLifetime(timer) {}
        }
    }
}

extension TestClock: TimeSource {
    /// The present moment.
    package func now() -> Moment {
        state.withLock { Moment(uptime: $0.uptime, wall: $0.uptime + $0.offset, random: $0.random) }
    }

    /// Sets a timer.
    package func schedule(after delay: Double, _ body: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        let id = state.withLock { state in
            state.lastID += 1
            // Written so that a number that is none means at once.
            state.timers[state.lastID] = Timer(due: state.uptime + (delay > 0 ? delay : 0), body: body)
            return state.lastID
        }
        return Scheduled(clock: self, id: id)
    }
}
