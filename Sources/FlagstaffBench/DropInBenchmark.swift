import AbrovaFlags
import ConfigDirector
import Dispatch
import FlagModel
import Flagstaff
import Foundation
import Quonfig
import SplitThin

/// Reads through the modules that stand in for other SDKs, against the same reads of the client below them.
enum DropInBenchmark {
    /// Measures, and prints one line per figure and one `result:` line for the summary.
    static func run() throws {
        let directorOptions = ConfigDirectorClientOptions(logger: ConsoleLogger(level: .off))
        let flags = try BenchmarkFlags.client()
        let director = ConfigDirectorClient(
            try BenchmarkFlags.client { $0.adopt(directorOptions) }, options: directorOptions)
        compare("ConfigDirector, value(for:default: Bool)", BenchmarkFlags.keys(of: .bool)) {
            consume(flags.value(for: $0, default: false))
        } with: {
            consume(director.value(for: $0, default: false))
        }
        compare("ConfigDirector, value(for:default: Int)", BenchmarkFlags.keys(of: .int)) {
            consume(flags.value(for: $0, default: 0))
        } with: {
            consume(director.value(for: $0, default: 0))
        }
        compare("ConfigDirector, value(for:default: String)", BenchmarkFlags.keys(of: .string)) {
            consume(flags.value(for: $0, default: ""))
        } with: {
            consume(director.value(for: $0, default: ""))
        }
        director.close()

        let config = AbrovaFlagsConfig(apiKey: "key", logLevel: .none)
        let abrova = AbrovaFlags(
            config: config,
            client: try BenchmarkFlags.client { config.apply(to: &$0, logger: SilentLogger()) })
        compare("AbrovaFlags, isEnabled", BenchmarkFlags.keys(of: .bool)) {
            consume(flags.isEnabled($0))
        } with: {
            consume(abrova.isEnabled($0))
        }
        abrova.close()

        let options = Configuration(sdkKey: "key")
        let counting = try BenchmarkFlags.client { options.apply(to: &$0, logger: SilentLogger()) }
        let quonfig = Quonfig(counting, context: QuonfigContext(), logger: SilentLogger())
        compare("Quonfig, isEnabled", BenchmarkFlags.keys(of: .bool)) {
            consume(flags.isEnabled($0))
        } with: {
            consume(quonfig.isEnabled($0))
        }
        let splitConfig = SplitClientConfig.builder().set(configsEnabled: true).build()
        let below = try BenchmarkFlags.client { splitConfig.apply(to: &$0, logger: SilentLogger()) }
        let split = makeClient(over: below, splitConfig)
        // The client starts by itself, and nobody answers: the values are put in effect afterwards.
        below.serve(BenchmarkFlags.resolutions)
        compare("SplitThin, getTreatment", BenchmarkFlags.keys(of: .string)) {
            consume(flags.evaluation(of: $0, default: FlagValue.null))
        } with: {
            consume(split.getTreatment(flag: $0))
        }
        ReadsBenchmark.storm("reads through Quonfig", of: counting) { consume(quonfig.isEnabled($0)) }
    }

    /// Times both in turns, and prints the ratio of the least times.
    private static func compare(
        _ name: String, _ keys: [String], _ native: (String) -> Void, with read: (String) -> Void
    ) {
        var least = (own: Double.infinity, native: Double.infinity)
        for round in 0..<12 {
            let own = nanoseconds(keys, read)
            let other = nanoseconds(keys, native)
            if round > 1 { least = (min(least.own, own), min(least.native, other)) }
        }
        let ratio = least.own / least.native
        print(String(format: "%@: %.1f ns, natively %.1f ns: %.2f ×", name, least.own, least.native, ratio))
        print(
            "result: {\"what\": \"read: \(name)\", \"against\": \"the native read\", "
                + "\"ratio\": \(String(format: "%.3f", ratio)), \"atMost\": 1.5}")
    }

    @inline(__always)
    private static func nanoseconds(_ keys: [String], _ work: (String) -> Void) -> Double {
        let rounds = max(1, 400_000 / keys.count)
        let start = DispatchTime.now().uptimeNanoseconds
        for _ in 0..<rounds {
            for key in keys { work(key) }
        }
        return Double(DispatchTime.now().uptimeNanoseconds - start) / Double(rounds * keys.count)
    }
}
