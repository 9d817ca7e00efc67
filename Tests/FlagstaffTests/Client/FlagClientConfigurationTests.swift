import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite struct FlagClientConfigurationTests {
    @Test func clientIsMadeOrSaysWhatIsWrong() throws {
        _ = try FlagClient(.init(endpoint: try #require(URL(string: "http://127.0.0.1:1"))))
        let relative = try #require(URL(string: "flags.example.com"))
        let error = #expect(throws: FlagClientError.self) {
            _ = try FlagClient(.init(endpoint: relative, key: "k"))
        }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.errorDescription?.contains("https://") == true)
    }

    @Test func clientUsesTheConfiguredTransportAndClosesIt() async throws {
        let transport = MemoryTransport()
        var configuration = FlagClientConfiguration(
            endpoint: try #require(URL(string: "https://flags.test")), key: "client-key")
        configuration.logger = SilentLogger()
        configuration.transport = transport
        // What an earlier run had to report would be sent first.
        configuration.storage = MemoryFlagStorage()
        configuration.telemetry = .off
        let client = try FlagClient(configuration)
        async let outcome = client.start(context: FlagContext(key: "user"), timeout: 60)
        let exchange = await transport.exchanges[0]
        #expect(exchange.request.headers["Authorization"] == "Bearer client-key")
        exchange.answer(["a": 1])
        #expect(await outcome == .fresh)
        #expect(client.value(for: "a", default: 0) == 1)
        await client.close()
        #expect(transport.isClosed)
    }

    @Test func descriptionOfARequestHoldsNoSecret() throws {
        let request = FlagTransportRequest(
            method: "POST", url: try #require(URL(string: "https://h/p?token=hush")),
            headers: ["Authorization": "Bearer hush"], body: Array("hush".utf8), idleTimeout: 10)
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", String(reflecting: request), dumped] {
            #expect(!text.contains("hush"))
            #expect(text.contains("POST request to h"))
        }
    }

    @Test(arguments: [-1, 0, .nan, 4.9, -.infinity])
    func intervalsHaveAFloor(interval: Double) throws {
        #expect(FlagSyncMode.polling(every: interval) == .polling(every: 5))
        var configuration = FlagClientConfiguration(endpoint: try #require(URL(string: "http://h")))
        configuration.fallbackInterval = interval
        configuration.requestTimeout = .nan
        let settings = ConnectionSettings(configuration)
        #expect(settings.fallbackInterval == 5)
        #expect(settings.requestTimeout == 0.1)
    }

    @Test func hugeIntervalsAreBounded() {
        #expect(FlagSyncMode.polling(every: 1e300) == .polling(every: 7 * 86400))
    }

    @Test func infiniteIntervalMeansNoPolls() {
        #expect(FlagSyncMode.polling(every: .infinity).description == "polling without an interval")
        var harness = MachineHarness(.polling(every: .infinity))
        harness.change(to: "user")
        harness.answer(Answers.fresh(["a": 1]))
        #expect(harness.timers.isEmpty)
    }

    @Test func backOffNeverOverflows() {
        let settings = ConnectionSettings()
        #expect(settings.backoff(attempt: .max, random: 0.999) < settings.retryCap)
        #expect(settings.backoff(attempt: 0, random: 0.5) == 0.5)
        #expect(settings.backoff(attempt: -1, random: 0.5) == 0.5)
    }
}
