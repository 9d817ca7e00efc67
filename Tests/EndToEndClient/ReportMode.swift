import Flagstaff
import Foundation

/// Reads and tracks without an end, reports each round, and says so; with 0 for its first round it only reports what an
/// earlier process left.
///
/// Round 7 reads the flag `read-7` three times and tracks an event with the value 7.
enum ReportMode {
    static func run(_ url: URL, firstRound: Int) async throws {
        var configuration = FlagClientConfiguration(endpoint: url)
        configuration.sync = .manual
        configuration.startRequirement = .cached
        configuration.telemetry.maxRetainedBatches = 1_000
        configuration.telemetry.maxRetainedBytes = 10_000_000
        configuration.telemetry.maxRetainedAge = 86_400
        let client = try FlagClient(configuration)
        let outcome = await client.start(context: FlagContext(key: "user"), timeout: 20)
        EndToEndClient.tell(
            "started \(outcome.kind.rawValue) \(client.snapshot.value(for: "n", default: -1))")
        if firstRound == 0 {
            EndToEndClient.tell("left \(await client.flush(timeout: 20))")
            return await client.close()
        }
        // So that values of the service are stored too, whichever were enough for the start.
        await client.refresh(timeout: 20)
        EndToEndClient.tell("value \(client.snapshot.value(for: "n", default: -1))")
        for round in firstRound... {
            for _ in 0..<3 { _ = client.isEnabled("read-\(round)") }
            client.track("event", value: Double(round))
            EndToEndClient.tell("read \(round)")
            guard await client.flush(timeout: 20) else {
                // The report is stored; the next would wait until the service may be asked again.
                EndToEndClient.tell("kept \(round)")
                return await EndToEndClient.waitForEndOfInput()
            }
            EndToEndClient.tell("reported \(round)")
        }
    }
}
