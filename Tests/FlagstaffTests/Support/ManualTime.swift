import FlagLocking
@testable import Flagstaff

/// A clock in the hand of a test: timers fire when the test moves it, on the thread that does.
final class ManualTime: TimeSource {
    private struct State: Sendable {
        var uptime = 1000.0
        var lastID = 0
        var timers: [Int: (due: Double, body: @Sendable () -> Void)] = [:]
    }

    private let state = Lock(State())

    func now() -> Moment {
        state.withLock { Moment(uptime: $0.uptime, wall: 1_800_000_000 + $0.uptime, random: 0.5) }
    }

    func schedule(after delay: Double, _ body: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        let id = state.withLock { state in
            state.lastID += 1
            state.timers[state.lastID] = (state.uptime + delay, body)
            return state.lastID
        }
        return Scheduled(time: self, id: id)
    }

    /// How many timers are set.
    var timerCount: Int { state.withLock { $0.timers.count } }

    /// Lets time pass, firing what is due, in order.
    func advance(by seconds: Double) {
        let end = state.withLock { $0.uptime + seconds }
        while let body = nextDue(by: end) { body() }
    }

    private func nextDue(by end: Double) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard
                let (id, timer) = state.timers.min(by: { ($0.value.due, $0.key) < ($1.value.due, $1.key) }),
                timer.due <= end
            else {
                state.uptime = end
                return nil
            }
            state.uptime = max(state.uptime, timer.due)
            state.timers[id] = nil
            return timer.body
        }
    }

    private struct Scheduled: ScheduledTimer {
        let time: ManualTime
        let id: Int

        func cancel() {
            time.state.withLock { _ = $0.timers.removeValue(forKey: id) }
        }
    }
}
