import Dispatch
import FlagModel
import Flagstaff
import Foundation

/// Reads of a client with 1,000 flags that counts them, against one look-up in a `Dictionary<String, Int>` of the same
/// keys.
enum ReadsBenchmark {
    /// Measures, and prints one line per figure and one `result:` line for the summary.
    static func run() throws {
        let flags = try BenchmarkFlags.client()
        let dictionary = Dictionary(
            uniqueKeysWithValues: BenchmarkFlags.keys.enumerated().map { ($1, $0) })
        let keys = BenchmarkFlags.keys
        let lookup = { (key: String) in consume(dictionary[key] ?? 0) }

        compare("typed key, flags[.key]", atMost: 0.2, keys, lookup) { _ in
            consume(flags[.bool0])
            consume(flags[.bool1])
            consume(flags[.bool2])
            consume(flags[.bool3])
            consume(flags[.int0])
            consume(flags[.int1])
            consume(flags[.double0])
            consume(flags[.double1])
        }
        compare("isEnabled(…)", atMost: 1.5, BenchmarkFlags.keys(of: .bool), lookup) {
            consume(flags.isEnabled($0))
        }
        compare("value(for:default: Int)", atMost: 1.5, BenchmarkFlags.keys(of: .int), lookup) {
            consume(flags.value(for: $0, default: 0))
        }
        compare("value(for:default: Double)", atMost: 1.5, BenchmarkFlags.keys(of: .double), lookup) {
            consume(flags.value(for: $0, default: 0.5))
        }
        compare("value(for:default: String)", atMost: 2.5, BenchmarkFlags.keys(of: .string), lookup) {
            consume(flags.value(for: $0, default: "none"))
        }
        compare("isEnabled(…) of a flag that is no Boolean", BenchmarkFlags.keys(of: .string), lookup) {
            consume(flags.isEnabled($0))
        }
        compare("isEnabled(…) of an unknown flag", keys.map { "no-" + $0 }, lookup) {
            consume(flags.isEnabled($0))
        }
        compare("typed key of text", keys, lookup) { _ in
            consume(flags[.string0])
        }
        compare("value(for:default: Theme), an enum", BenchmarkFlags.keys(of: .string), lookup) {
            consume(flags.value(for: $0, default: BenchmarkTheme.light))
        }
        compare("evaluation(of:default: Bool)", BenchmarkFlags.keys(of: .bool), lookup) {
            consume(flags.evaluation(of: $0, default: false))
        }

        ThreadsBenchmark.compare("isEnabled(…), 1,000 flags", keys: BenchmarkFlags.keys(of: .bool)) {
            consume(flags.isEnabled($0))
        }
        ThreadsBenchmark.compare("isEnabled(…), the same flag", keys: [BenchmarkFlags.keys[0]]) {
            consume(flags.isEnabled($0))
        }
        ThreadsBenchmark.compare("typed key, the same flag", keys: [""]) { _ in consume(flags[.bool0]) }
        allocations(flags)
        try storm()
        try changes()
    }

    // MARK: Time

    /// Times both in turns, and prints the ratio of the least times.
    private static func compare(
        _ name: String, atMost goal: Double? = nil, _ keys: [String], _ lookup: (String) -> Void,
        _ read: (String) -> Void
    ) {
        var least = (own: Double.infinity, other: Double.infinity)
        let readsPerCall = name.hasPrefix("typed key, ") ? 8.0 : 1
        for round in 0..<12 {
            let own = nanoseconds(keys, read) / readsPerCall
            let other = nanoseconds(BenchmarkFlags.keys, lookup)
            if round > 1 { least = (min(least.own, own), min(least.other, other)) }
        }
        let ratio = least.own / least.other
        print(String(format: "%@: %.1f ns, a look-up %.1f ns: %.2f ×", name, least.own, least.other, ratio))
        let bound = goal.map { ", \"atMost\": \($0)" } ?? ""
        print(
            "result: {\"what\": \"read: \(name)\", \"against\": \"a look-up in `Dictionary<String, Int>`\", "
                + "\"ratio\": \(String(format: "%.3f", ratio))\(bound)}")
    }

    @inline(__always)
    private static func nanoseconds(_ keys: [String], _ work: (String) -> Void) -> Double {
        let rounds = max(1, 200_000 / keys.count)
        let start = DispatchTime.now().uptimeNanoseconds
        for _ in 0..<rounds {
            for key in keys { work(key) }
        }
        return Double(DispatchTime.now().uptimeNanoseconds - start) / Double(rounds * keys.count)
    }

    // MARK: Memory

    /// Counts allocations, where the script has put a counter in front of the allocator.
    private static func allocations(_ flags: FlagClient) {
        guard let counter = AllocationCounter() else {
            print("allocations: not counted, as nothing counts them: run Benchmarks/run.sh")
            return
        }
        let unknown = BenchmarkFlags.keys.map { "no-" + $0 }
        let cases: [(String, [String], (String) -> Void)] = [
            ("isEnabled", BenchmarkFlags.keys(of: .bool), { consume(flags.isEnabled($0)) }),
            ("Int", BenchmarkFlags.keys(of: .int), { consume(flags.value(for: $0, default: 1)) }),
            ("Double", BenchmarkFlags.keys(of: .double), { consume(flags.value(for: $0, default: 1.0)) }),
            ("typed keys", [""], { _ in consume(flags[.bool0]) }),
            ("isEnabled of unknown flags", unknown, { consume(flags.isEnabled($0)) }),
            (
                "Int of text flags", BenchmarkFlags.keys(of: .string),
                { consume(flags.value(for: $0, default: 1)) }
            ),
            ("String", BenchmarkFlags.keys(of: .string), { consume(flags.value(for: $0, default: "")) }),
        ]
        var total = 0
        for (name, keys, read) in cases {
            for key in keys { read(key) }
            let before = counter.count
            for _ in 0..<100 {
                for key in keys { read(key) }
            }
            let count = counter.count - before
            total += count
            print("allocations in \(100 * keys.count) reads, \(name): \(count)")
        }
        print(
            "result: {\"what\": \"allocations in \(cases.count) × 100 × 1,000 reads\", \"value\": \(total), "
                + "\"unit\": \"\", \"atMost\": 0}")
    }

    /// 10 million reads from 4 tasks: the totals, and what they leave in memory.
    private static func storm() throws {
        let flags = try BenchmarkFlags.client()
        storm("reads", of: flags) { consume(flags.isEnabled($0)) }
    }

    /// Counts 10 million reads from 4 tasks.
    ///
    /// - Parameters:
    ///   - what: What the reads are called.
    ///   - flags: The client that counts them.
    ///   - read: Reads a flag.
    static func storm(_ what: String, of flags: FlagClient, _ read: @escaping @Sendable (String) -> Void) {
        let keys = BenchmarkFlags.keys
        for key in keys { read(key) }
        _ = flags.drainReads()
        let before = ResidentMemory.bytes
        let group = DispatchGroup()
        for _ in 0..<4 {
            group.enter()
            Task.detached {
                for _ in 0..<2500 {
                    for key in keys { read(key) }
                }
                group.leave()
            }
        }
        group.wait()
        let grown = Double(ResidentMemory.bytes - before) / 1_048_576
        let total = flags.drainReads().reduce(0) { $0 + $1.count }
        print(
            "storm: \(total) of 10000000 \(what) were counted, memory grew by \(String(format: "%.2f", grown)) MiB"
        )
        print(
            "result: {\"what\": \"\(what) lost or counted twice, of 10 million from 4 tasks\", "
                + "\"value\": \(abs(Int(total) - 10_000_000)), \"unit\": \"\", \"atMost\": 0}")
        print(
            "result: {\"what\": \"memory that these \(what) leave\", "
                + "\"value\": \(String(format: "%.2f", grown)), \"unit\": \"MiB\", \"atMost\": 1}")
    }

    // MARK: Changes

    /// How long it takes to put values in effect.
    private static func changes() throws {
        let other = BenchmarkFlags.resolutions.map { flag in
            var flag = flag
            flag.variant = "another"
            return flag
        }
        var least = (first: Double.infinity, whole: Double.infinity, one: Double.infinity)
        for _ in 0..<10 {
            let flags = try BenchmarkFlags.client()
            least.first = min(
                least.first,
                milliseconds {
                    flags.serve(BenchmarkFlags.resolutions)
                    for key in BenchmarkFlags.keys { consume(flags.isEnabled(key)) }
                })
            least.whole = min(least.whole, milliseconds { flags.serve(other) })
            let one = [BenchmarkFlags.resolutions[0]] + other.dropFirst()
            least.one = min(least.one, milliseconds { flags.serve(one) })
        }
        print(
            String(
                format: "values of 1,000 flags: put in effect and each read once %.2f ms, "
                    + "all changed %.2f ms, one changed %.2f ms", least.first, least.whole, least.one))
        print(
            "result: {\"what\": \"1,000 flags put in effect, and each read for the first time\", "
                + "\"value\": \(String(format: "%.2f", least.first)), \"unit\": \"ms\"}")
    }

    private static func milliseconds(_ work: () -> Void) -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        work()
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
    }
}

/// Keeps the optimizer from dropping a result that nobody looks at.
@inline(never)
func consume<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}
