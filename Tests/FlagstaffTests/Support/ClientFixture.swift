import FlagModel
import Foundation

@testable import Flagstaff

/// A client on a transport in memory and a clock in the hand of the test.
struct ClientFixture {
    let transport = MemoryTransport()
    let time = ManualTime()
    let client: FlagClient

    init(
        reads: any ReadCounting = UncountedReads(), cache: (any SnapshotKeeping)? = nil,
        telemetryQueue: (any TelemetryQueue)? = nil,
        change: (inout FlagClientConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = FlagClientConfiguration(
            endpoint: URL(fileURLWithPath: "/"), key: "client-key")
        configuration.endpoint = URL(string: "https://flags.test/base/") ?? configuration.endpoint
        configuration.logger = SilentLogger()
        // Only tests of telemetry are to see its timers and requests.
        configuration.telemetry = .off
        change(&configuration)
        client = FlagClient(
            service: try ServiceAddress(configuration), configuration: configuration, transport: transport,
            time: time, cache: cache, reads: reads, telemetryQueue: telemetryQueue)
        client.core.reads.isCounting = true
    }

    /// Starts the client with these values.
    func start(
        _ values: [String: FlagValue], etag: String? = nil, streams: [EventStream]? = nil
    ) async -> FlagUpdateOutcome {
        async let outcome = client.start(context: FlagContext(key: "user"))
        await transport.exchanges[0].answer(values, etag: etag, streams: streams)
        return await outcome
    }

    /// Starts the client and brings our stream to where it delivers.
    func startStreaming(_ values: [String: FlagValue]) async -> MemoryTransport.Stream {
        _ = await start(values, etag: "e1", streams: [Answers.evaluationsStream])
        let stream = await transport.streams[0]
        stream.accept()
        stream.send(.current(etag: "e1"))
        return stream
    }
}
