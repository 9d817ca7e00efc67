import Testing

@testable import FlagService

@Suite struct RateLimiterTests {
    @Test func letsABurstThroughThenTheRate() {
        var limiter = RateLimiter(rate: 10, burst: 3)
        for _ in 0..<3 { #expect(limiter.refusal(for: "a", now: 0) == nil) }
        #expect(limiter.refusal(for: "a", now: 0) == 1)
        #expect(limiter.refusal(for: "a", now: 0.1) == nil)
        #expect(limiter.refusal(for: "a", now: 0.1) == 1)
        #expect(limiter.refusal(for: "a", now: 10) == nil)
    }

    @Test func saysHowLongToWaitInWholeSeconds() {
        var limiter = RateLimiter(rate: 0.1, burst: 1)
        #expect(limiter.refusal(for: "a", now: 0) == nil)
        #expect(limiter.refusal(for: "a", now: 0) == 10)
        #expect(limiter.refusal(for: "a", now: 4.5) == 6)
        #expect(limiter.refusal(for: "a", now: 10.5) == nil)
    }

    @Test func asksNobodyToWaitLongerThanADay() {
        for rate in [1e-300, 1e-9, .leastNonzeroMagnitude] {
            var limiter = RateLimiter(rate: rate, burst: 1)
            #expect(limiter.refusal(for: "a", now: 0) == nil)
            #expect(limiter.refusal(for: "a", now: 0) == 86_400)
        }
    }

    @Test func countsEachCallerByItself() {
        var limiter = RateLimiter(rate: 1, burst: 1)
        #expect(limiter.refusal(for: "a", now: 0) == nil)
        #expect(limiter.refusal(for: "b", now: 0) == nil)
        #expect(limiter.refusal(for: "a", now: 0) == 1)
    }

    @Test func forgetsThoseWithTheLeastToTell() {
        var limiter = RateLimiter(rate: 1, burst: 2, capacity: 8)
        for _ in 0..<2 { #expect(limiter.refusal(for: "greedy", now: 0) == nil) }
        for caller in 0..<1_000 { #expect(limiter.refusal(for: "caller \(caller)", now: 0) == nil) }
        #expect(limiter.refusal(for: "greedy", now: 0) == 1)
    }

    @Test func allowsNoExtraRequestsWhenTheClockStandsOrGoesBack() {
        var limiter = RateLimiter(rate: 1, burst: 1)
        #expect(limiter.refusal(for: "a", now: 5) == nil)
        #expect(limiter.refusal(for: "a", now: 5) == 1)
        #expect(limiter.refusal(for: "a", now: 3) == 1)
    }
}
