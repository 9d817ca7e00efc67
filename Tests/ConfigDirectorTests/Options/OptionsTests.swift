import FlagModel
import FlagstaffTesting
import Foundation
import Testing

@testable import ConfigDirector
@testable import Flagstaff

@Suite struct OptionsTests {
    private func configuration(
        _ connection: ConnectionOptions = ConnectionOptions(), logger: RecordingLogger = RecordingLogger(),
        key: String = "key"
    ) throws -> FlagClientConfiguration {
        try FlagClientConfiguration(
            clientSDKKey: key, options: ConfigDirectorClientOptions(connection: connection, logger: logger))
    }

    // MARK: Programming errors

    @Test(arguments: ["", " ", "\n\t "]) func aBlankKeyThrows(key: String) {
        #expect(throws: ConfigDirectorError.missingClientSDKKey) {
            try ConfigDirectorClient(clientSDKKey: key)
        }
    }

    @Test(arguments: [
        "flags.example.com", "/base", "https://", "mailto:someone@example.com", "ftp://example.com",
    ])
    func aBaseURLThatIsNotAbsoluteThrows(text: String) throws {
        let url = try #require(URL(string: text))
        let options = ConfigDirectorClientOptions(connection: ConnectionOptions(baseURL: url))
        #expect(throws: ConfigDirectorError.invalidBaseURL(url)) {
            try ConfigDirectorClient(clientSDKKey: "key", options: options)
        }
    }

    @Test func errorsSayWhatToDoAndHideWhatIsSecret() throws {
        let url = try #require(URL(string: "ftp://user:secret@example.com"))
        let text = ConfigDirectorError.invalidBaseURL(url).localizedDescription
        #expect(text.contains("http"))
        #expect(!text.contains("secret"))
        #expect(!ConfigDirectorError.missingClientSDKKey.localizedDescription.isEmpty)
        #expect(
            ConfigDirectorError.connectionFailed(message: "refused", statusCode: 401).localizedDescription
                .contains("401"))
    }

    // MARK: Connection

    @Test func defaultsAreTheDocumentedOnes() {
        let options = ConnectionOptions()
        #expect(options.mode == .streaming)
        #expect(options.pollingInterval == 60)
        #expect(options.timeout == 3)
        #expect(options.pausesWhileBackgrounded)
        #expect(options.baseURL == nil)
        #expect(ConfigDirectorClientOptions().metadata == nil)
        #expect((ConfigDirectorClientOptions().logger as? ConsoleLogger)?.level == .warn)
    }

    @Test(arguments: [29.9, 1, 0, -5, Double.nan]) func lowIntervalsAreRaisedWithOneWarning(interval: Double)
        throws
    {
        let logger = RecordingLogger()
        let configuration = try configuration(
            ConnectionOptions(
                mode: .polling, pollingInterval: interval, baseURL: URL(string: "https://a.test")),
            logger: logger)
        #expect(configuration.sync == .polling(every: 30))
        #expect(logger.entries.count == 1)
        #expect(logger.entries.first?.level == .warn)
    }

    @Test(arguments: [30, 600, Double.infinity]) func otherIntervalsAreTaken(interval: Double) throws {
        let logger = RecordingLogger()
        let configuration = try configuration(
            ConnectionOptions(
                mode: .polling, pollingInterval: interval, baseURL: URL(string: "https://a.test")),
            logger: logger)
        #expect(configuration.sync == .polling(every: interval))
        #expect(logger.entries.isEmpty)
        _ = try FlagClient(configuration)
    }

    @Test func aLowIntervalIsNothingToAStreamingClient() throws {
        let logger = RecordingLogger()
        _ = try configuration(
            ConnectionOptions(pollingInterval: 1, baseURL: URL(string: "https://a.test")), logger: logger)
        #expect(logger.entries.isEmpty)
    }

    @Test func anAddressThatIsNotSecureIsWarnedOf() throws {
        let logger = RecordingLogger()
        let configuration = try configuration(
            ConnectionOptions(baseURL: URL(string: "http://proxy.example.com/flags/here")), logger: logger)
        #expect(configuration.endpoint.absoluteString == "http://proxy.example.com/flags/here")
        #expect(logger.entries(.warn).count == 1)
    }

    @Test func waitsAreHalfToTheWholeOfWhatDoubles() throws {
        let retry = try configuration(ConnectionOptions(baseURL: URL(string: "https://a.test"))).retry
        #expect(retry.longest == 512 && retry.leastPart == 0.5)
    }

    @Test func theAppManagesItsConnectionWhereItSaysSo() throws {
        let url = URL(string: "https://a.test")
        #expect(try configuration(ConnectionOptions(baseURL: url)).background == .automatic)
        #expect(
            try configuration(ConnectionOptions(baseURL: url, pausesWhileBackgrounded: false)).background
                == .keepRunning)
    }

    // MARK: Contexts

    @Test func metadataComesFromTheBundleWhereItIsNotGiven() {
        let bundle = FlagAppInfo.main
        #expect(FlagAppInfo(ConfigDirectorMetaContext?.none) == bundle)
        #expect(
            FlagAppInfo(ConfigDirectorMetaContext(appName: "Shop"))
                == FlagAppInfo(name: "Shop", version: bundle.version))
        #expect(
            FlagAppInfo(ConfigDirectorMetaContext(appVersion: "2"))
                == FlagAppInfo(name: bundle.name, version: "2"))
    }

    @Test func contextsAreSentWithTraitsNameAndApp() {
        let context = ConfigDirectorContext(
            id: "ada", name: "Ada",
            traits: [
                "plan": "pro", "seats": 12, "beta": true, "regions": ["eu", 1.5], "none": nil, "name": "no",
            ])
        let sent = context.flagContext(app: FlagAppInfo(name: "Shop", version: ""), clientID: "client")
        #expect(sent.targetingKey == "ada")
        #expect(!sent.isAnonymous)
        #expect(
            sent.attributes == [
                "plan": "pro", "seats": 12, "beta": true, "regions": ["eu", 1.5], "none": nil, "name": "Ada",
                "appName": "Shop",
            ])
    }

    @Test func aContextWithoutIDIsNamedAfterTheClient() {
        let sent = ConfigDirectorContext(isAnonymous: true)
            .flagContext(app: FlagAppInfo(name: "", version: ""), clientID: "client")
        #expect(sent.targetingKey == "client")
        #expect(sent.isAnonymous)
    }

    @Test func aTraitThatIsNotFiniteSpoilsNothingElse() throws {
        let context = ConfigDirectorContext(id: "a", traits: ["bad": .double(.nan), "good": 1])
        let text = String(decoding: try JSONEncoder().encode(context), as: UTF8.self)
        #expect(text.contains("\"good\":1"))
        #expect(text.contains("\"bad\":null"))
    }

    // MARK: Logging

    @Test func nothingIsBuiltThatIsNotLogged() {
        let logger = RecordingLogger(level: .warn)
        logger.info(
            {
                Issue.record("built"); return "x"
            }())
        logger.debug(
            {
                Issue.record("built"); return "x"
            }())
        logger.warn("w")
        logger.error("e", error: ConfigDirectorError.missingClientSDKKey)
        #expect(logger.entries.map(\.message) == ["w", "e"])
        #expect(logger.entries.last?.error as? ConfigDirectorError == .missingClientSDKKey)
        let off = RecordingLogger(level: .off)
        off.error("e")
        #expect(off.entries.isEmpty)
    }

    @Test func levelsAreInOrder() {
        #expect(ConfigDirectorLogLevel.allCases == [.off, .error, .warn, .info, .debug])
        #expect(ConfigDirectorLogLevel.allCases.map(\.rawValue) == [-1, 0, 1, 2, 3])
        #expect(ConfigDirectorLogLevel.off < .error)
    }
}
