/// What happens to a client: all that its life cycle depends on.
enum ClientEvent: Sendable {
    /// The app starts the client or changes the context, and waits.
    case change(FlagContext, Waiter)
    /// The app wants no value that came before, in memory or stored.
    case discard
    /// The app waits for values, whichever: stored ones too, or the service's alone.
    case awaitValues(Waiter, takesCached: Bool)
    /// The app wants everything anew for a context, whatever is under way, and waits.
    case reconnect(FlagContext, Waiter)
    /// The app asks for current values, and waits.
    case refresh(Waiter)
    /// The app wants no network for now, or the system.
    case pause(PauseCause)
    /// The app wants the network again, and waits.
    case resume(Waiter)
    /// The app is no longer seen.
    case background
    /// The app is seen again.
    case foreground
    /// Stored values of a context were looked for; the number is that of the search.
    case cacheLoaded(Int, FlagSnapshot?)
    /// The values that win over all others.
    case override([String: FlagValue])
    /// The task of a waiting call was cancelled.
    case abandon(Waiter.ID)
    /// The app is done.
    case close
    /// A fetch is over.
    case fetched(Int, FetchResult)
    /// Something arrived on a stream.
    case stream(Int, [StreamInput])
    /// A timer fired; the token says which setting of it.
    case timer(ClientTimer, token: Int)
}

/// An awaited call.
struct Waiter: Hashable, Sendable, Identifiable {
    let id: Int
    /// How many seconds it waits at most.
    let timeout: Double
}

/// When an event happens, and the dice for it: brought in from outside, so that the life cycle has neither clock nor
/// chance of its own.
package struct Moment: Hashable, Sendable {
    /// Seconds of a clock that is never set.
    package var uptime: Double
    /// Seconds since 1970 by the device's clock, for dates in answers only.
    package var wall: Double
    /// A number from 0 up to but not including 1.
    package var random: Double

    /// Makes a moment.
    package init(uptime: Double, wall: Double, random: Double) {
        self.uptime = uptime
        self.wall = wall
        self.random = random
    }
}

/// Who wants a client to rest.
enum PauseCause: Hashable, Sendable {
    /// The app, by `pause()`.
    case app
    /// The app's being in the background.
    case background
}

/// A timer of the life cycle; setting it again replaces it.
enum ClientTimer: Hashable, Sendable {
    /// The next fetch: a poll, a retry, or one that had to wait.
    case fetch
    /// How long the first fetch of a context waits for stored values.
    case cacheLimit
    /// The pause after a change of context, in which there may be another one.
    case settling
    /// The limit of the fetch in flight.
    case fetchDeadline
    /// The next attempt to open a stream.
    case reconnect(slot: Int)
    /// The check whether a stream has been silent for too long.
    case silence(slot: Int)
    /// The limit of an awaited call.
    case waiter(Waiter.ID)
}
