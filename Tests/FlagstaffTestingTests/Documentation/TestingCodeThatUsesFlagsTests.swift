import FlagstaffTesting
import Foundation
import Testing

/// The samples of the article "Testing code that uses flags", and what its sentences say besides.
@Suite(.timeLimit(.minutes(1))) struct TestingCodeThatUsesFlagsTests {
    @Test func offersTheNewCheckoutWhileTheFlagIsOn() async {
        let service = TestFlagService(values: ["new-checkout": true, "max-items": 20])
        let flags = service.makeClient()
        await flags.start(context: FlagContext(key: "user-123"))

        let checkout = Checkout(flags: flags)
        #expect(checkout.isNew)

        service.setValue(false, for: "new-checkout")
        #expect(!checkout.isNew)
    }

    @Test func startsWhereTheCodeUnderTestDoesNot() async {
        let service = TestFlagService(values: ["new-checkout": true])
        let flags = await service.makeStartedClient()
        #expect(Checkout(flags: flags).isNew)
    }

    @Test func configuresWhatAnAppWould() async throws {
        let service = TestFlagService(values: ["new-checkout": true])
        let flags = service.makeClient { $0.contextSwitch = .dropAtOnce }
        await flags.start(context: FlagContext(key: "user-123"))
        service.holdNextContextChange()
        let change = Task { await flags.setContext(FlagContext(key: "user-456")) }
        try await service.heldRequest(.contextChange)
        #expect(!flags.isEnabled("new-checkout"))
        service.completeContextChange()
        #expect(await change.value == .fresh)
    }

    @Test func setsValues() async {
        let service = TestFlagService(values: ["banner": "sale"])
        let flags = await service.makeStartedClient()
        service.setValue(30, for: "max-items")
        service.setValue(["theme": "dark", "columns": 3], for: "layout")
        service.removeValue(for: "banner")
        #expect(flags.value(for: "max-items", default: 0) == 30)
        #expect(flags.value(for: "layout", default: FlagValue.null)["columns"] == 3)
        #expect(flags.value(for: "banner", default: "none") == "none")
        service.setValue(30, for: "max-items")
        service.setValue(["theme": "dark", "columns": 3], for: "layout")
        service.removeValue(for: "banner")
        service.replaceValues(["new-checkout": true])
        #expect(flags.snapshot.keys == ["new-checkout"])
    }

    @Test func setsEverythingElse() async {
        let service = TestFlagService()
        let flags = await service.makeStartedClient()
        service.setResolution(
            FlagResolution(key: "theme", value: "dark", variant: "night", reason: .targetingMatch))
        service.setResolution(FlagResolution(key: "broken", reason: .error, errorCode: .parseError))
        #expect(flags.evaluation(of: "theme", default: "light").variant == "night")
        #expect(flags.evaluation(of: "broken", default: "").errorCode == .parseError)
    }

    @Test func servesByContext() async {
        let service = TestFlagService(values: ["max-items": 10])
        let flags = await service.makeStartedClient(context: FlagContext(attributes: ["plan": "pro"]))
        service.evaluate { context in
            context.attributes["plan"] == "pro" ? .values(["max-items": 100]) : []
        }
        #expect(flags.value(for: "max-items", default: 0) == 100)
        await flags.setContext(FlagContext())
        #expect(flags.value(for: "max-items", default: 0) == 10)
    }

    @Test func watchesValues() async throws {
        let service = TestFlagService(values: ["greeting": "hello"])
        let flags = service.makeClient()
        let greetings = FlagProbe(flags.values(for: "greeting", default: "none"))
        #expect(try await greetings.next() == "none")

        await flags.start(context: FlagContext(key: "user-123"))
        #expect(try await greetings.next() == "hello")

        service.setValue("hi", for: "greeting")
        #expect(try await greetings.next() == "hi")
    }

    @Test func watchesEvents() async throws {
        let service = TestFlagService(values: ["new-checkout": true])
        let flags = await service.makeStartedClient()
        let events = FlagProbe(flags.events)
        service.setValue(false, for: "new-checkout")
        let change = try await events.events(until: .changed).last
        #expect(change?.changedKeys == ["new-checkout"])
    }

    @Test func holds() async throws {
        let service = TestFlagService(values: ["new-checkout": true])
        let flags = service.makeClient()
        let screen = Screen(flags: flags)
        service.holdNextStart()
        let start = Task { await flags.start(context: FlagContext(key: "user-123")) }
        try await service.heldRequest(.start)
        #expect(screen.isLoading)

        service.completeStart()
        #expect(await start.value == .fresh)
        #expect(!screen.isLoading)
    }

    @Test func fails() async {
        let service = TestFlagService()
        let flags = service.makeClient { $0.logger = SilentLogger() }
        service.failStart(with: .status(503))
        let outcome = await flags.start(context: FlagContext(key: "user-123"))
        #expect(outcome.error?.code == .serverError)
    }

    @Test func goesOffline() async {
        let service = TestFlagService(values: ["new-checkout": true])
        let flags = await service.makeStartedClient { $0.logger = SilentLogger() }
        service.isOffline = true
        #expect(await flags.refresh().error?.code == .network)
        #expect(flags.isEnabled("new-checkout"))

        service.isOffline = false
        #expect(await flags.refresh() == .fresh)
    }

    @Test func looksAtRequests() async {
        let service = TestFlagService()
        let flags = await service.makeStartedClient()
        await flags.setContext(FlagContext(key: "user-456", attributes: ["plan": "pro"]))
        #expect(service.contexts.last?.targetingKey == "user-456")
        #expect(service.requests.last?.headers["authorization"] == "Bearer test-client-key")
    }

    @Test func looksAtReads() async throws {
        let service = TestFlagService(values: ["new-checkout": true])
        let flags = await service.makeStartedClient()
        let reads = FlagProbe(flags.evaluations)
        _ = Checkout(flags: flags).isNew
        #expect(try await reads.next()?.key == "new-checkout")
    }

    @Test func movesTheTime() async {
        let service = TestFlagService(values: ["max-items": 20])
        let clock = TestClock()
        let flags = await service.makeStartedClient(clock: clock) { $0.sync = .polling(every: 60) }
        service.setValue(30, for: "max-items")
        clock.advance(by: 60)
        #expect(flags.value(for: "max-items", default: 0) == 30)
        let before = clock.date
        clock.date -= 3600
        #expect(before.timeIntervalSince(clock.date) == 3600)
    }

    @Test func looksAtTheLog() async {
        let service = TestFlagService()
        let log = FlagLogRecorder(level: .error)
        let flags = service.makeClient { $0.logger = log }
        service.failStart()
        await flags.start(context: FlagContext(key: "user-123"))
        #expect(log.entries.count == 1)
    }
}

/// Code under test.
private struct Checkout {
    let flags: FlagClient

    var isNew: Bool { flags.isEnabled("new-checkout") }
}

/// Code under test that shows something while there are no values.
private struct Screen {
    let flags: FlagClient

    var isLoading: Bool { !flags.status.isReady }
}
