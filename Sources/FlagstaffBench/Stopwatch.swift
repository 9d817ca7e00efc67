import Dispatch

/// Measures how long something short takes.
enum Stopwatch {
    /// The least time of five rounds, each of so many calls that the clock's own time does not matter.
    ///
    /// - Parameters:
    ///   - rounds: How many rounds there are. Default 5.
    ///   - work: What is measured.
    /// - Returns: Nanoseconds a call.
    @inline(__always)
    static func nanoseconds(rounds: Int = 5, _ work: () -> Void) -> Double {
        var calls = 64
        while time(of: calls, work) < 1_000_000 { calls *= 2 }
        var least = Double.infinity
        for _ in 0..<rounds { least = min(least, Double(time(of: calls, work)) / Double(calls)) }
        return least
    }

    @inline(__always)
    private static func time(of calls: Int, _ work: () -> Void) -> UInt64 {
        let start = DispatchTime.now().uptimeNanoseconds
        for _ in 0..<calls { work() }
        return DispatchTime.now().uptimeNanoseconds - start
    }
}
