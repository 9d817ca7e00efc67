import Foundation

/// Measures parts of Flagstaff in this process: `FlagstaffBench json`.
@main
struct FlagstaffBench {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case "json":
            JSONBenchmark.run()
        default:
            FileHandle.standardError.write(Data("usage: FlagstaffBench json\n".utf8))
            exit(64)
        }
    }
}
