import FlagLocking
import Foundation

@testable import Flagstaff

/// A time that goes faster than the system's, so that limits of a minute are over in seconds, with a wall clock that
/// can be set and dice that can be loaded.
struct ScaledTime: TimeSource {
    /// How many seconds pass in one.
    var factor = 1.0
    /// What the dice give; `nil` for chance.
    var random: Double?
    /// How far the wall clock is off, in seconds.
    let wallOffset = Lock(0.0)
    /// How many timers have fired.
    let fired = Lock(0)

    private let system = SystemTime()

    init(factor: Double = 1, random: Double? = nil) {
        self.factor = factor
        self.random = random
    }

    func now() -> Moment {
        var moment = system.now()
        moment.uptime *= factor
        moment.wall += wallOffset.withLock { $0 }
        if let random { moment.random = random }
        return moment
    }

    func schedule(after delay: Double, _ body: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        system.schedule(after: delay / factor) { [fired] in
            fired.withLock { $0 += 1 }
            body()
        }
    }
}
