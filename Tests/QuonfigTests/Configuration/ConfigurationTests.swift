import Flagstaff
import FlagstaffTesting
import Foundation
import Testing

@testable import Quonfig

@Suite struct ConfigurationTests {
    private func native(_ change: (inout Configuration) -> Void = { _ in }) throws -> FlagClientConfiguration
    {
        var configuration = Configuration(sdkKey: "key")
        change(&configuration)
        var native = FlagClientConfiguration(endpoint: try #require(URL(string: "https://flags.test")))
        configuration.apply(to: &native, logger: SilentLogger())
        return native
    }

    private func addresses(
        _ sink: RecordingSink = RecordingSink(), _ change: (inout Configuration) -> Void
    ) -> [String] {
        var configuration = Configuration(sdkKey: "key", logSink: sink)
        change(&configuration)
        return configuration.addresses(configuration.logger).map(\.absoluteString)
    }

    @Test func defaultsAreTheDocumentedOnes() throws {
        let configuration = Configuration(sdkKey: "key")
        #expect(configuration.domain == "quonfig.com")
        #expect(configuration.pollInterval == 60)
        #expect(configuration.collectEvaluationSummaries)
        #expect(configuration.collectContextMode == .periodicExample)
        #expect(configuration.requestTimeout == nil && configuration.resourceTimeout == nil)
        #expect(configuration.telemetryFlushInterval == 60)
        #expect(configuration.telemetryTimeout == 15)
        #expect(configuration.telemetryMaxRetainedBatches == 5)
        #expect(configuration.telemetryMaxRetainedBytes == 524_288)
        #expect(configuration.telemetryMaxRetainedAge == 300)
        #expect(configuration.telemetryMaxEvaluationSummaries == 100_000)
        #expect(
            configuration.logSink == nil && configuration.apiURLs == nil && configuration.telemetryURL == nil)
        #expect(configuration.customHeaders().isEmpty)
        let native = try native()
        #expect(native.sync == .polling(every: 60))
        #expect(native.telemetry.contexts == .examples)
        #expect(native.requestTimeout == 10)
        #expect(native.cache == .disk(contexts: 10))
    }

    @Test func theHeadersCanTrail() {
        let configuration = Configuration(sdkKey: "key") { ["X-Token": "1"] }
        #expect(configuration.customHeaders() == ["X-Token": "1"])
    }

    @Test func theAddressIsWhatTheCodeNames() throws {
        let url = try #require(URL(string: "https://one.test/base"))
        #expect(addresses { $0.domain = "flags.example.com" } == ["https://flags.example.com"])
        #expect(addresses { $0.domain = "flags.example.com:8443" } == ["https://flags.example.com:8443"])
        #expect(
            addresses {
                $0.apiURLs = [url]; $0.domain = "flags.example.com"
            } == ["https://one.test/base"])
    }

    @Test func theDocumentedDomainCountsAsNotNamed() {
        let deployed = FlagClientConfiguration.deployedEndpoint(logger: SilentLogger()).absoluteString
        #expect(addresses { _ in } == [deployed])
        #expect(!addresses { _ in }.contains { $0.contains("quonfig.com") })
    }

    @Test(arguments: ["", "https://flags.example.com", "two words", "a/b", "user@host"])
    func aMalformedDomainIsAnErrorAndNoTrap(domain: String) {
        let sink = RecordingSink()
        let deployed = FlagClientConfiguration.deployedEndpoint(logger: SilentLogger()).absoluteString
        #expect(addresses(sink) { $0.domain = domain } == [deployed])
        #expect(sink.levels.contains(.error))
    }

    @Test func noAddressesAreAnErrorAndNoTrap() throws {
        let sink = RecordingSink()
        #expect(addresses(sink) { $0.apiURLs = [] }.count == 1)
        #expect(sink.levels.first == .error)
    }

    @Test(arguments: ["flags.example.com", "ftp://one.test", "https://one.test?q=1"])
    func anAddressThatCannotWorkIsLeftOut(text: String) async throws {
        let sink = RecordingSink()
        let url = try #require(URL(string: text))
        let quonfig = try Configuration(sdkKey: "key", apiURLs: [url], logSink: sink)
            .makeClient(for: QuonfigContext(), storage: MemoryFlagStorage())
        #expect(sink.levels.contains(.error))
        await quonfig.shutdown()
    }

    @Test func numbersThatMakeNoSenseCountAsTheDefaults() throws {
        let native = try native {
            $0.pollInterval = -1
            $0.requestTimeout = 0
            $0.resourceTimeout = -3
        }
        #expect(native.sync == .polling(every: 60))
        #expect(native.requestTimeout == 10)
        #expect(try self.native { $0.pollInterval = .nan }.sync == .polling(every: 60))
        #expect(try self.native { $0.pollInterval = 0 }.sync == .polling(every: .infinity))
        #expect(
            try self.native {
                $0.requestTimeout = 4
                $0.resourceTimeout = 3
            }.requestTimeout == 3)
    }

    @Test func telemetryFollowsTheOptions() throws {
        #expect(try !native { $0.collectEvaluationSummaries = false }.telemetry.isEnabled)
        #expect(try native { $0.collectContextMode = .none }.telemetry.contexts == .none)
        #expect(try native { $0.collectContextMode = .shapeOnly }.telemetry.contexts == .shapes)
        let policy = try native {
            $0.telemetryURL = URL(string: "https://reports.test/base")
            $0.telemetryFlushInterval = 7
            $0.telemetryTimeout = 8
            $0.telemetryMaxRetainedBatches = 9
            $0.telemetryMaxRetainedBytes = 10
            $0.telemetryMaxRetainedAge = 11
            $0.telemetryMaxEvaluationSummaries = 12
        }.telemetry
        #expect(policy.url?.absoluteString == "https://reports.test/base/api/v1/telemetry")
        #expect(policy.flushInterval == 7 && policy.timeout == 8 && policy.maxRetainedBatches == 9)
        #expect(policy.maxRetainedBytes == 10 && policy.maxRetainedAge == 11 && policy.maxSummaries == 12)
        #expect(!policy.awaitsReportInFlight)
    }
}
