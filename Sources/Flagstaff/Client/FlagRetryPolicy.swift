public import Foundation

/// How long a client waits after failures before it asks again: a random part of a time that doubles with each failure.
///
/// A `Retry-After` of the service, and what a stream asks for, are the least.
public struct FlagRetryPolicy: Hashable, Sendable {
    /// The longest time, in seconds; what is less than 1 or no number counts as 300.
    ///
    /// Default 300.
    public var longest: TimeInterval
    /// The least part of the time that is waited, from 0 to 1: 0 spreads clients best, 1 waits the whole time.
    ///
    /// Default 0.
    public var leastPart: Double

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - longest: The longest time, in seconds.
    ///   - leastPart: The least part of the time that is waited.
    public init(longest: TimeInterval = 300, leastPart: Double = 0) {
        self.longest = longest
        self.leastPart = leastPart
    }
}
