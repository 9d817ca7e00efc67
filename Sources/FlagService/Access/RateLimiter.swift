/// Token buckets, one per caller: each caller may make so many requests a second on average, and a burst at once.
///
/// Pure: the time comes with each call. The number of callers kept is bounded; beyond it the fullest buckets, which
/// have the least to tell, are forgotten.
struct RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var time: Double
    }

    private let rate: Double
    private let burst: Double
    private let capacity: Int
    private var buckets: [String: Bucket] = [:]

    /// Makes a limiter.
    ///
    /// - Parameters:
    ///   - rate: Requests per second and caller.
    ///   - burst: Requests that may come at once. Default: two seconds' worth, at least one.
    ///   - capacity: How many callers are kept. Default 100,000.
    init(rate: Double, burst: Double? = nil, capacity: Int = 100_000) {
        self.rate = rate
        self.burst = max(1, burst ?? rate * 2)
        self.capacity = capacity
    }

    /// Takes a request into account.
    ///
    /// - Parameters:
    ///   - caller: Who makes it.
    ///   - now: The time in seconds, of any clock that never goes back.
    /// - Returns: `nil` when the request is allowed, else after how many seconds (at least 1) one would be.
    mutating func refusal(for caller: String, now: Double) -> Int? {
        var bucket = buckets[caller] ?? Bucket(tokens: burst, time: now)
        bucket.tokens = min(burst, bucket.tokens + max(0, now - bucket.time) * rate)
        bucket.time = now
        let isAllowed = bucket.tokens >= 1
        if isAllowed { bucket.tokens -= 1 }
        buckets[caller] = bucket
        if buckets.count > capacity { forgetFullest(now: now) }
        // A day at most, which also keeps the number within an integer's range.
        return isAllowed ? nil : Int(max(1, min(86_400, ((1 - bucket.tokens) / rate).rounded(.up))))
    }

    /// Forgets a quarter of the buckets at once, so that the work is spread over many requests.
    private mutating func forgetFullest(now: Double) {
        let rate = rate
        let fullness = { (bucket: Bucket) in bucket.tokens + (now - bucket.time) * rate }
        let fullest = buckets.sorted { fullness($0.value) > fullness($1.value) }.prefix(capacity / 4 + 1)
        for (caller, _) in fullest { buckets[caller] = nil }
    }
}
