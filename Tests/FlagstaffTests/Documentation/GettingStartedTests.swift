import Flagstaff
import Foundation
import Testing

/// The samples of the article "Getting started", as an app would write them: with the public interface alone.
@Suite(.timeLimit(.minutes(1))) struct GettingStartedTests {
    private let samples = GettingStartedSamples()

    @Test func samplesWorkWithoutAService() async throws {
        // Port 9 is for discarding: nobody answers there.
        let url = try #require(URL(string: "http://127.0.0.1:9"))
        let flags = try samples.client(url: url)
        let outcome = await samples.start(flags)
        #expect(!outcome.isFresh)
        #expect(samples.read(flags) == "false 20 light")
        #expect(!samples.readDeclared(flags))
        #expect(samples.explain(flags).errorCode == .providerNotReady)
        await flags.setContext(FlagContext(key: "user-456"), timeout: 0)
        #expect(flags.context.targetingKey == "user-456")
        await samples.end(flags)
        #expect(flags.status.connection == .closed)
        try UsualFolder.remove(of: FlagClientConfiguration(endpoint: url, key: "client-key"))
    }

    @MainActor @Test func samplesWorkWithValues() async {
        let flags = samples.inMemory()
        #expect(samples.read(flags) == "true 20 light")
        #expect(samples.readDeclared(flags))
        samples.layOut(flags)
        await samples.setContext(flags)
        #expect(flags.context.targetingKey == "user-456")
        let token = samples.callBack(flags)
        await flags.close()
        await samples.follow(flags)
        #expect(samples.applied.elements == [false])
        withExtendedLifetime(token) {}
    }

    @MainActor @Test func sequencesCanBeReadOnTheMainActor() async {
        let flags = FlagClient.inMemory()
        let events = flags.events
        await flags.close()
        var kinds: [FlagEvent.Kind] = []
        for await event in events { kinds.append(event.kind) }
        #expect(kinds == [.ready, .closed])
        for await value in flags.values(for: .newCheckout) { #expect(!value) }
    }
}

private enum Theme: String, FlagConvertible { case light, dark }

extension FlagKey<Bool> {
    fileprivate static var newCheckout: Self { Self("new-checkout", default: false) }
}

/// Each block of the article, with as much around it as it needs.
struct GettingStartedSamples: Sendable {
    let applied = Recorder<Bool>()

    private func apply(_ isDark: Bool) { applied.record(isDark) }

    private func layOut(columns: Int, gap: Double) {
        #expect(columns == 2)
        #expect(gap == 8)
    }

    func client(url: URL) throws -> FlagClient {
        let flags = try FlagClient(.init(endpoint: url, key: "client-key"))
        return flags
    }

    func start(_ flags: FlagClient) async -> FlagUpdateOutcome {
        let context = FlagContext(key: "user-123", attributes: ["plan": "pro"])
        let outcome = await flags.start(context: context, timeout: 3)
        if !outcome.isFresh { print("using defaults for now: \(outcome)") }
        return outcome
    }

    func read(_ flags: FlagClient) -> String {
        let isNew = flags.isEnabled("new-checkout")
        let maxItems = flags.value(for: "max-items", default: 20)
        let theme = flags.value(for: "theme", default: Theme.light)
        return "\(isNew) \(maxItems) \(theme)"
    }

    func readDeclared(_ flags: FlagClient) -> Bool {
        let isNew = flags[.newCheckout]
        return isNew
    }

    func explain(_ flags: FlagClient) -> FlagEvaluation<String> {
        let evaluation = flags.evaluation(of: "theme", default: "light")
        print(evaluation.value, evaluation.reason, evaluation.variant ?? "-", evaluation.errorDetails ?? "")
        return evaluation
    }

    func layOut(_ flags: FlagClient) {
        let now = flags.snapshot
        layOut(columns: now.value(for: "columns", default: 2), gap: now.value(for: "gap", default: 8.0))
    }

    func follow(_ flags: FlagClient) async {
        for await isDark in flags.values(for: "dark-mode", default: false) {
            apply(isDark)
        }
    }

    func callBack(_ flags: FlagClient) -> FlagToken {
        let token = flags.onChange(of: "dark-mode", default: false) { isDark in
            apply(isDark)
        }
        return token
    }

    func setContext(_ flags: FlagClient) async {
        await flags.setContext(FlagContext(key: "user-456"))
    }

    func inMemory() -> FlagClient {
        let flags = FlagClient.inMemory(["new-checkout": true, "max-items": 20])
        return flags
    }

    func end(_ flags: FlagClient) async {
        await flags.close()
    }
}
