public import Foundation

/// How a client keeps its values up to date.
public struct FlagSyncMode: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        case streaming
        case polling(TimeInterval)
        case once
        case manual
    }

    let form: Form

    /// Live over a stream where the service offers one: `flagstaff.evaluations` if there is one, else the
    /// standard's `sse` with a request after each notice.
    ///
    /// While a stream is down, and with services that offer none, the client asks at intervals
    /// (``FlagClientConfiguration/fallbackInterval``).
    public static let streaming = FlagSyncMode(form: .streaming)

    /// Asks at an interval and opens no stream.
    ///
    /// - Parameter interval: The interval in seconds; each is varied by a tenth. Less than ``shortestInterval``,
    ///   and what is no number, counts as that. `.infinity` stands for no polls at all: the client then asks in
    ///   `start`, `setContext` and `refresh`, again after a failure, and when the app comes back from the background.
    /// - Returns: The mode.
    public static func polling(every interval: TimeInterval) -> FlagSyncMode {
        FlagSyncMode(form: .polling(floored(interval)))
    }

    /// Asks until each context's values have arrived once, and then no more.
    public static let once = FlagSyncMode(form: .once)

    /// Asks only in `start`, `setContext` and `refresh`, one request each.
    public static let manual = FlagSyncMode(form: .manual)

    /// The shortest interval between two polls: 5 seconds.
    public static let shortestInterval: TimeInterval = 5

    static func floored(_ interval: TimeInterval) -> TimeInterval {
        if interval == .infinity { return interval }
        return interval > shortestInterval ? min(interval, 7 * 86400) : shortestInterval
    }
}

extension FlagSyncMode: CustomStringConvertible {
    /// The mode in words.
    public var description: String {
        switch form {
        case .streaming: "streaming"
        case .polling(.infinity): "polling without an interval"
        case .polling(let interval): "polling every \(interval) s"
        case .once: "once"
        case .manual: "manual"
        }
    }
}
