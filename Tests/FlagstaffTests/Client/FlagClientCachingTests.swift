import FlagModel
import Foundation
import Testing

@testable import Flagstaff

/// Clients with a cache, made as an app makes them.
@Suite(.timeLimit(.minutes(1))) struct FlagClientCachingTests {
    private let storage = MemoryFlagStorage()

    private func client(
        _ transport: MemoryTransport, change: (inout FlagClientConfiguration) -> Void
    ) throws -> FlagClient {
        let endpoint = try #require(URL(string: "https://flags.test"))
        var configuration = FlagClientConfiguration(endpoint: endpoint, key: "client-key")
        configuration.logger = SilentLogger()
        configuration.telemetry = .off
        configuration.storage = storage
        configuration.transport = transport
        configuration.startRequirement = .cached
        change(&configuration)
        return try FlagClient(configuration)
    }

    /// Starts a client, lets the service answer, and closes it.
    private func store(
        _ values: [String: FlagValue], change: (inout FlagClientConfiguration) -> Void
    ) async throws {
        let transport = MemoryTransport()
        let client = try client(transport, change: change)
        async let outcome = client.start(context: FlagContext(key: "user"), timeout: .infinity)
        await transport.exchanges[0].answer(values)
        #expect(await outcome == .fresh)
        await client.close()
    }

    /// How a client starts that hears nothing of the service, and what it serves.
    private func restored(
        change: (inout FlagClientConfiguration) -> Void
    ) async throws -> (FlagUpdateOutcome.Kind, Int) {
        let transport = MemoryTransport()
        let client = try client(transport, change: change)
        async let outcome = client.start(context: FlagContext(key: "user"), timeout: .infinity)
        let exchange = Task { await transport.exchanges[0].fail() }
        let kind = await outcome.kind
        exchange.cancel()
        let value = client.value(for: "a", default: 0)
        await client.close()
        return (kind, value)
    }

    @Test func valuesOfOtherFlagSetsAreNotServed() async throws {
        try await store(["a": 1]) { $0.headers = ["flagd-selector": "flagSetId=one"] }
        #expect(try await restored { $0.headers = ["Flagd-Selector": "flagSetId=two"] } == (.failed, 0))
        #expect(try await restored { _ in } == (.failed, 0))
        #expect(try await restored { $0.headers = ["Flagd-Selector": "flagSetId=one"] } == (.cached, 1))
        // The same set, asked for in the client's own way.
        #expect(try await restored { $0.flagSets = ["one"] } == (.cached, 1))
    }
}
