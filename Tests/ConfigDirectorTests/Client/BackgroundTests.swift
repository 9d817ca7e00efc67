import FlagstaffTesting
import Testing

@testable import ConfigDirector
@testable import Flagstaff

/// The app's going to the background and coming back, as the system would tell of it.
@Suite(.timeLimit(.minutes(1))) struct BackgroundTests {
    private let service = TestFlagService(values: ["n": 1])

    private func client(pauses: Bool = true) -> ConfigDirectorClient {
        let options = ConfigDirectorClientOptions(
            connection: ConnectionOptions(timeout: 60, pausesWhileBackgrounded: pauses),
            logger: ConsoleLogger(level: .off))
        let flags = service.makeClient { configuration in
            configuration.adopt(options)
            // As on a phone, wherever the test runs.
            if configuration.background == .automatic { configuration.background = .pause }
        }
        return ConfigDirectorClient(flags, options: options)
    }

    @Test func theConnectionRestsAndComesBackWithWhatChanged() async {
        let client = client()
        await client.initialize()
        let events = client.events
        client.flags.core.handle(.background)
        #expect(!client.isReady)
        service.setValue(2, for: "n")
        #expect(client.value(for: "n", default: 0) == 1)
        client.flags.core.handle(.foreground)
        #expect(client.isReady)
        #expect(client.value(for: "n", default: 0) == 2)
        client.close()
        #expect(await rest(of: events).map(\.story).prefix(2) == ["ready: network resume", "updated: n"])
    }

    @Test func aManualPauseStays() async {
        let client = client()
        await client.initialize()
        client.pauseNetwork()
        client.flags.core.handle(.background)
        client.flags.core.handle(.foreground)
        #expect(!client.isReady)
        await client.resumeNetwork()
        #expect(client.isReady)
        client.close()
    }

    @Test func aClientThatWasNotInitializedStaysSo() {
        let client = client()
        client.flags.core.handle(.background)
        client.flags.core.handle(.foreground)
        #expect(!client.isReady)
        #expect(service.requests.isEmpty)
        client.close()
    }

    @Test func nothingHappensWhereTheAppManagesItsConnection() async {
        let client = client(pauses: false)
        await client.initialize()
        client.flags.core.handle(.background)
        #expect(client.isReady)
        service.setValue(2, for: "n")
        #expect(client.value(for: "n", default: 0) == 2)
        client.close()
    }
}
