import Foundation

/// Runs one measurement and prints what it found as JSON lines, for a script to compare.
@main
struct BenchmarkTool {
    /// The measurements by name.
    ///
    /// Each takes the rest of the arguments.
    private static let benchmarks: [String: @Sendable ([String]) throws -> Void] = [
        "cache-start": { _ in try CacheStartBenchmark.run() },
        "client": ClientBenchmark.run,
        "drop-ins": { _ in try DropInBenchmark.run() },
        "evaluation": EvaluationBenchmark.run,
        "json": { _ in JSONBenchmark.run() },
        "reads": { _ in try ReadsBenchmark.run() },
    ]

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let name = arguments.first, let benchmark = benchmarks[name] else {
            complain("usage: FlagstaffBench \(benchmarks.keys.sorted().joined(separator: "|")) [arguments]")
            exit(64)
        }
        do {
            try benchmark(Array(arguments.dropFirst()))
        } catch {
            complain("\(name): \(error)")
            exit(1)
        }
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
    }
}
