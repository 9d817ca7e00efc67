import FlagModel
import FlagstaffTesting
import Foundation
import Testing

@testable import AbrovaFlags
@testable import Flagstaff

@Suite(.timeLimit(.minutes(1))) struct AbrovaFlagsConfigTests {
    @Test func defaultsAreThoseOfTheSpecification() {
        let config = AbrovaFlagsConfig(apiKey: "ab_live_xxx")
        #expect(config.environment == nil)
        #expect(config.refreshIntervalSeconds == nil)
        #expect(config.requestTimeoutSeconds == 10)
        #expect(config.foregroundRefreshSeconds == 900)
        #expect(config.logLevel == .warning)
        #expect(config.baseURL == AbrovaFlagsConfig.defaultBaseURL)
        #expect(!"\(config)".contains("ab_live_xxx"))
    }

    @Test func environmentAndKeyGoWithEachRequest() async throws {
        let device = Device()
        _ = await device.ready(AbrovaFlagsConfig(apiKey: Device.key, environment: "production"))
        let headers = try await device.requests(1)[0].headers
        #expect(headers["x-flagstaff-environment"] == "production")
        let other = Device()
        _ = await other.ready()
        #expect(try await other.requests(1)[0].headers["x-flagstaff-environment"] == nil)
    }

    @Test func withoutAnAddressInTheCodeThePlaceOfDeploymentNamesIt() async {
        let log = FlagLogRecorder()
        let deployed = FlagClientConfiguration.deployedEndpoint(logger: log)
        let warnings = log.entries.count
        #expect(AbrovaFlagsConfig(apiKey: "key").baseURL == deployed)
        let client = AbrovaFlagsConfig(apiKey: "key").makeClient(logger: log, storage: MemoryFlagStorage())
        // It is warned of once, and only where nobody names one.
        #expect(log.entries.filter { $0.level == .warning }.count == 2 * warnings)
        await client.close()
    }

    @Test(arguments: ["", "with space", "line\nbreak"])
    func keyThatCannotBeSentIsLeftOutAndLogged(key: String) async throws {
        let log = FlagLogRecorder()
        let url = try #require(URL(string: "http://127.0.0.1:9"))
        let client = AbrovaFlagsConfig(apiKey: key, baseURL: url).makeClient(
            logger: log, storage: MemoryFlagStorage())
        #expect(log.entries.contains { $0.level == .error && $0.message.contains("key") })
        await client.close()
    }

    @Test func addressThatIsNoneIsLeftOutAndLogged() async throws {
        let log = FlagLogRecorder()
        let url = try #require(URL(string: "flags.example.com"))
        let client = AbrovaFlagsConfig(apiKey: "key", baseURL: url).makeClient(
            logger: log, storage: MemoryFlagStorage())
        #expect(log.entries.contains { $0.level == .error && $0.message.contains("endpoint") })
        await client.close()
    }

    @Test func logLevelsAreThoseOfTheClient() {
        let levels: [(AbrovaFlagsLogLevel, FlagLogLevel)] = [
            (.error, .error), (.warning, .warning), (.info, .info), (.debug, .debug),
        ]
        for (level, expected) in levels { #expect(level.logger.level == expected) }
        #expect(AbrovaFlagsLogLevel.none.logger is SilentLogger)
    }

    @Test func nothingIsReportedAboutReads() async throws {
        var configuration = FlagClientConfiguration(
            endpoint: try #require(URL(string: "https://flags.test")))
        AbrovaFlagsConfig(apiKey: "key").apply(to: &configuration, logger: SilentLogger())
        #expect(!configuration.telemetry.isEnabled)
    }
}
