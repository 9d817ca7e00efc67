import AbrovaFlags
import FlagLocking
import FlagModel
import FlagstaffTesting
import Testing

/// What the documentation's samples do.
@Suite(.timeLimit(.minutes(1))) struct DocumentedSamplesTests {
    private let lines = Lock<[String]>([])

    private func note(_ items: Any...) {
        let line = items.map { "\($0)" }.joined(separator: " ")
        lines.withLock { $0.append(line) }
    }

    private func device() -> Device {
        Device([
            "new-checkout": true, "dark-mode": true, "theme": "dark", "max-items": 20,
            "home-layout": ["columns": 3],
        ])
    }

    @Test func startReturnsAtOnceAndDefaultsAreRead() {
        let flags = DocumentedSamples.initialize()
        defer { flags.close() }
        DocumentedSamples.read(flags) { note($0) }
        #expect(lines.withLock { $0 } == ["false", "light", "10.0", "2"])
        #expect(DocumentedSamples.decode(flags).columns == 2)
        #expect(DocumentedSamples.details(flags) { note($0) })
    }

    @Test func valuesAreReadOnceTheyAreHere() async {
        let flags = await device().ready()
        #expect(await DocumentedSamples.wait(flags))
        DocumentedSamples.read(flags) { note($0) }
        #expect(lines.withLock { $0 } == ["new checkout", "true", "dark", "20.0", "3"])
        #expect(DocumentedSamples.decode(flags).columns == 3)
        #expect(!DocumentedSamples.details(flags) { note($0) })
        #expect(await DocumentedSamples.refresh(flags))
        flags.close()
    }

    @Test func whoTheUserIsGoesWithTheNextRequest() async throws {
        let device = device()
        let flags = await device.ready()
        DocumentedSamples.signIn(flags)
        await device.pass(0.3, flags)
        let signedIn = try #require(try await device.requests(2).last?.context)
        #expect(signedIn.targetingKey == "user-123")
        for (name, value) in ["plan": "pro", "country": "IR", "beta": true, "age": 31] as [String: FlagValue]
        {
            #expect(signedIn.attributes[name] == value)
        }
        DocumentedSamples.replaceAttributes(flags)
        await device.pass(0.3, flags)
        let replaced = try #require(try await device.requests(3).last?.context)
        #expect(replaced.attributes["plan"] == "business")
        #expect(replaced.attributes["country"] == nil)
        DocumentedSamples.signOut(flags)
        await device.pass(0.3, flags)
        let signedOut = try #require(try await device.requests(4).last?.context)
        #expect(signedOut.targetingKey == flags.anonymousId)
        #expect(signedOut.attributes["plan"] == "business")
        DocumentedSamples.reset(flags)
        await device.pass(0.3, flags)
        let reset = try #require(try await device.requests(5).last?.context)
        #expect(reset.attributes["plan"] == nil)
        flags.close()
    }

    @Test func changesArePrintedUntilTheTokenIsCancelled() async throws {
        let device = device()
        let flags = await device.ready()
        let lines = lines
        let token = DocumentedSamples.listen(flags) { items in
            let line = items.map { "\($0)" }.joined(separator: " ")
            lines.withLock { $0.append(line) }
        }
        device.service.setValue("blue", for: "theme")
        await flags.refresh()
        await mainQueueIsEmpty()
        #expect(lines.withLock { $0 } == ["changed: [\"theme\"]"])
        token.cancel()
        device.service.setValue("red", for: "theme")
        await flags.refresh()
        await mainQueueIsEmpty()
        #expect(lines.withLock { $0.count } == 1)
        flags.close()
    }
}
