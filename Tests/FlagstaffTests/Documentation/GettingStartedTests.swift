import Flagstaff
import Foundation
import Testing

/// The samples of the article "Getting started", as an app would write them: with the public interface alone.
@Suite(.timeLimit(.minutes(1))) struct GettingStartedTests {
    @Test func samplesWorkWithoutAService() async throws {
        // Port 9 is for discarding: nobody answers there.
        let url = try #require(URL(string: "http://127.0.0.1:9"))
        var configuration = FlagClientConfiguration(endpoint: url, key: "client-key")
        configuration.logger = SilentLogger()
        let flags = try FlagClient(configuration)

        let context = FlagContext(key: "user-123", attributes: ["plan": "pro"])
        let outcome = await flags.start(context: context, timeout: 3)
        #expect(!outcome.isFresh)

        #expect(!flags.isEnabled("new-checkout"))
        #expect(flags.value(for: "max-items", default: 20) == 20)
        #expect(flags.value(for: "theme", default: Theme.light) == .light)
        #expect(!flags[.newCheckout])

        let evaluation = flags.evaluation(of: "theme", default: "light")
        #expect(evaluation.value == "light")
        #expect(evaluation.reason == .error)
        #expect(evaluation.errorCode == .providerNotReady)

        let now = flags.snapshot
        #expect(now.value(for: "columns", default: 2) == 2)
        #expect(now.value(for: "gap", default: 8.0) == 8)

        for await isDark in flags.values(for: "dark-mode", default: false) {
            #expect(!isDark)
            break
        }

        await flags.setContext(FlagContext(key: "user-456"), timeout: 0)
        #expect(flags.context.targetingKey == "user-456")
        await flags.close()
    }

    @MainActor @Test func sequencesCanBeReadOnTheMainActor() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:9"))
        let flags = try FlagClient(.init(endpoint: url))
        let events = flags.events
        await flags.close()
        var kinds: [FlagEvent.Kind] = []
        for await event in events { kinds.append(event.kind) }
        #expect(kinds == [.closed])
        for await value in flags.values(for: .newCheckout) { #expect(!value) }
    }
}

private enum Theme: String, FlagConvertible {
    case light
    case dark
}

extension FlagKey<Bool> {
    fileprivate static var newCheckout: Self { Self("new-checkout", default: false) }
}
