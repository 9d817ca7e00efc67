import Flagstaff
import Foundation

/// A client in a process of its own, for tests that end the process or expect it to end.
///
/// It prints a line for each thing that happens, and ends when its standard input does.
@main struct EndToEndClient {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let mode = arguments.first, let url = arguments.dropFirst().first.flatMap(URL.init(string:))
        else {
            tell("usage: EndToEndClient start|watch|report URL [ROUND]")
            exit(64)
        }
        if mode == "report" {
            return try await ReportMode.run(url, firstRound: arguments.last.flatMap { Int($0) } ?? 0)
        }
        var configuration = FlagClientConfiguration(endpoint: url)
        configuration.cache = .memory
        let client = try FlagClient(configuration)
        let events = client.events
        let watching = Task {
            for await value in client.values(for: "n", default: -1) { tell("n: \(value)") }
        }
        let listening = Task {
            for await event in events { tell("event: \(event.kind.rawValue)") }
        }
        let outcome = await client.start(context: FlagContext(key: "user"), timeout: 20)
        tell("outcome: \(outcome.kind.rawValue) \(outcome.error?.code.rawValue ?? "")")
        if mode == "watch" { await waitForEndOfInput() }
        await client.close()
        await watching.value
        await listening.value
    }

    /// Prints a line at once: a test waits for it.
    static func tell(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    static func waitForEndOfInput() async {
        await withCheckedContinuation { continuation in
            // Reading waits, so it has a thread of its own.
            Thread {
                while readLine() != nil {}; continuation.resume()
            }.start()
        }
    }
}
