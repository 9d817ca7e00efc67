import FlagLocking

/// What the service counts about itself.
///
/// Safe to use from any thread.
package final class ServiceMetrics: Sendable {
    /// The upper bounds of the buckets of request durations, in microseconds.
    static let bounds: [UInt64] = [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 100_000, 1_000_000]

    struct Endpoint: Hashable, Sendable {
        var route: String
        var status: Int
    }

    /// How long the requests of one route took.
    struct Durations: Sendable {
        var buckets = [UInt64](repeating: 0, count: ServiceMetrics.bounds.count)
        var count: UInt64 = 0
        var microseconds: UInt64 = 0

        mutating func add(_ duration: UInt64) {
            count += 1
            microseconds += duration
            // Most requests fall into the first bucket.
            if let index = ServiceMetrics.bounds.firstIndex(where: { duration <= $0 }) { buckets[index] += 1 }
        }
    }

    /// All counts at one moment.
    struct Counts: Sendable {
        var requests: [Endpoint: UInt64] = [:]
        var durations: [String: Durations] = [:]
        var streamMessages: UInt64 = 0
        var lastPublishNanoseconds: UInt64 = 0
        var sourceFaults: UInt64 = 0
    }

    private let state = Lock(Counts())

    /// Makes counters that are all zero.
    package init() {}

    var counts: Counts { state.withLock { $0 } }

    func answered(route: Route, status: Int, microseconds: UInt64) {
        state.withLock { counts in
            counts.requests[Endpoint(route: route.name, status: status), default: 0] += 1
            counts.durations[route.name, default: Durations()].add(microseconds)
        }
    }

    func published(streams: Int, nanoseconds: UInt64) {
        state.withLock { counts in
            counts.streamMessages += UInt64(streams)
            counts.lastPublishNanoseconds = nanoseconds
        }
    }

    func sourceFailed() {
        state.withLock { $0.sourceFaults += 1 }
    }
}
