import Flagstaff
import Foundation

/// A client in a process of its own, for tests that end the process or expect it to end.
///
/// It prints a line for each thing that happens.
@main struct EndToEndClient {
    private static let context = FlagContext(key: "key-1", attributes: ["user": "user-1"])

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let mode = arguments.first
        guard let url = arguments.dropFirst().first.flatMap(URL.init(string:)) else { fail() }
        var configuration = FlagClientConfiguration(endpoint: url)
        switch mode {
        case "start":
            // Leaves nothing on the disk.
            configuration.cache = .off
            configuration.telemetry = .off
            let client = try FlagClient(configuration)
            await start(client, timeout: 20)
            await client.close()
        case "values":
            configuration.storage = storage(arguments)
            configuration.telemetry = .off
            let client = try FlagClient(configuration)
            await start(client, timeout: 5)
            let snapshot = client.snapshot
            let (n, half) = (snapshot.value(for: "n", default: -1), snapshot.value(for: "half", default: -1))
            tell("values: \(n) \(half) \(snapshot.value(for: "mark", default: "none"))")
            await client.close()
        case "report", "deliver":
            guard let first = arguments.dropFirst(3).first.flatMap({ Int($0) }) else { fail() }
            configuration.storage = storage(arguments)
            // What waits is all to be kept.
            configuration.telemetry.maxRetainedBatches = 10_000
            configuration.telemetry.maxRetainedBytes = 1 << 30
            configuration.telemetry.maxRetainedAge = 86400
            let client = try FlagClient(configuration)
            await start(client, timeout: 20)
            if mode == "report" { await report(client, from: first) }
            tell("all: \(await client.flush(timeout: 20))")
            await client.close()
        default:
            fail()
        }
    }

    private static func storage(_ arguments: ArraySlice<String>) -> FileFlagStorage {
        guard let folder = arguments.dropFirst(2).first else { fail() }
        return FileFlagStorage(folder: URL(fileURLWithPath: folder))
    }

    private static func start(_ client: FlagClient, timeout: TimeInterval) async {
        let outcome = await client.start(context: context, timeout: timeout)
        tell("outcome: \(outcome.kind.rawValue)")
    }

    /// Tracks numbered events and reads flags until the process is ended, and tells after each flush whether it
    /// delivered, how many events and reads there were before it, and which value was the last.
    private static func report(_ client: FlagClient, from first: Int) async {
        var (number, reads) = (first, 0)
        while true {
            for _ in 0..<5 {
                client.track("numbered", properties: ["number": .int(Int64(number))])
                number += 1
            }
            for _ in 0..<7 { _ = client.value(for: "half", default: -1) }
            reads += 7
            let value = client.value(for: "n", default: -1)
            let isDelivered = await client.flush(timeout: 0.3)
            tell("\(isDelivered ? "delivered" : "flushed"): \(number) \(reads) \(value)")
        }
    }

    /// Prints a line at once: a test waits for it.
    private static func tell(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    private static func fail() -> Never {
        tell("usage: EndToEndClient start URL, values URL FOLDER, or report|deliver URL FOLDER FIRST")
        exit(64)
    }
}
