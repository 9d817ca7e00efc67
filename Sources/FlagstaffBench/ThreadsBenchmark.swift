import Dispatch
import FlagLocking
import Foundation

/// The throughput of two threads against that of one.
enum ThreadsBenchmark {
    /// Reads a second.
    private struct Throughput {
        /// By the clock on the wall.
        var wall: Double
        /// By the time that the slowest thread had a processor: what it would be on a machine without other work.
        ///
        /// Threads that get into each other's way need more of it.
        var processor: Double
    }

    /// Measures in turns, and prints the ratio.
    ///
    /// Other work on the machine takes processors away, which the clock on the wall sees and processor time does not:
    /// the result is the ratio by the wall, of the best of many rounds each, and the ratio of the medians by processor
    /// time stands beside it.
    static func compare(_ name: String, keys: [String], _ read: @escaping @Sendable (String) -> Void) {
        var one: [Throughput] = []
        var two: [Throughput] = []
        for _ in 0..<30 {
            one.append(throughput(1, keys, read))
            two.append(throughput(2, keys, read))
        }
        let best = (one.map(\.wall).max() ?? 0, two.map(\.wall).max() ?? 0)
        let ratio = best.1 / best.0
        let byProcessor = median(two.map(\.processor)) / median(one.map(\.processor))
        print(
            String(
                format:
                    "%@: %.1f million reads/s on one thread, %.1f on two: %.2f × (by processor time %.2f ×)",
                name, best.0 / 1e6, best.1 / 1e6, ratio, byProcessor))
        for (what, ratio, goal) in [
            (name, ratio, ", \"atLeast\": 1.8"), (name + ", by processor time", byProcessor, ""),
        ] {
            print(
                "result: {\"what\": \"read: two threads, \(what)\", \"against\": \"one thread\", "
                    + "\"ratio\": \(String(format: "%.2f", ratio))\(goal)}")
        }
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    private static func throughput(
        _ threadCount: Int, _ keys: [String], _ read: @escaping @Sendable (String) -> Void
    ) -> Throughput {
        let rounds = max(1, 1_000_000 / keys.count)
        let ready = DispatchGroup()
        let go = DispatchSemaphore(value: 0)
        let done = DispatchGroup()
        let slowest = Lock<UInt64>(0)
        for number in 0..<threadCount {
            ready.enter()
            done.enter()
            // Keys of its own, as counting the references to a shared one would be what is measured: not even in the
            // same cache lines, so they are made one thread after the other. Keys in an app's code are literals,
            // which have no count.
            let keys = keys.map { String(decoding: Array($0.utf8), as: UTF8.self) }
            let spacer = [UInt8](repeating: 0, count: 4096)
            let thread = Thread {
                Processor.pin(to: number)
                withExtendedLifetime(spacer) { ready.leave() }
                go.wait()
                let start = Processor.threadNanoseconds
                for _ in 0..<rounds {
                    for key in keys { read(key) }
                }
                let time = Processor.threadNanoseconds - start
                slowest.withLock { $0 = max($0, time) }
                done.leave()
            }
            thread.start()
        }
        ready.wait()
        let start = DispatchTime.now().uptimeNanoseconds
        for _ in 0..<threadCount { go.signal() }
        done.wait()
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        let reads = Double(threadCount * rounds * keys.count)
        return Throughput(wall: reads / seconds, processor: reads / (Double(slowest.withLock { $0 }) / 1e9))
    }
}
