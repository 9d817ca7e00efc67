import ConfigDirector
import ConfigDirectorTesting
import FlagLocking
import Testing

/// What the documentation's samples do.
@Suite(.timeLimit(.minutes(1))) struct DocumentedSamplesTests {
    private let lines = Lock<[String]>([])

    private func note(_ line: String) { lines.withLock { $0.append(line) } }

    @Test func clientsAreMadeWithoutANetwork() throws {
        let clients = [
            try DocumentedSamples.metadata(), try DocumentedSamples.consoleLogger(),
            try DocumentedSamples.ownLogger(), try DocumentedSamples.connection(),
        ]
        for client in clients {
            #expect(!client.isReady)
            #expect(!client.isInitializing)
            client.close()
        }
    }

    @Test func eventsArePrintedInTheirOrder() async {
        let testClient = makeTestClient(values: ["a": 1])
        let client = testClient.client
        // The sample's sequence begins when it is read, so it is begun first and told apart by what it prints.
        let sample = Task { await DocumentedSamples.events(client) { note($0) } }
        while lines.withLock({ $0.isEmpty }) {
            await client.initialize()
            await Task.yield()
        }
        client.close()
        await sample.value
        let story = lines.withLock { $0 }
        #expect(story.contains("Client is ready after initialization"))
        #expect(story.contains("Configs updated: [\"a\"], removed: []"))
    }

    @Test func valuesAreFollowed() async {
        let testClient = makeTestClient(values: ["my-config-key": true])
        let client = testClient.client
        let sample = Task { await DocumentedSamples.retrieve(client) { note($0) } }
        while lines.withLock({ $0.count }) < 2 { await Task.yield() }
        await client.initialize()
        while lines.withLock({ $0.count }) < 3 { await Task.yield() }
        client.close()
        await sample.value
        #expect(lines.withLock { $0 } == ["Value: false", "Value updated: false", "Value updated: true"])
    }

    @Test func typesAndDocumentsAreRead() async {
        let testClient = makeTestClient(values: [
            "my-string-config-key": "text", "my-integer-config-key": 7, "my-boolean-config-key": true,
            "theme": ["primary": "#fff", "cornerRadius": 4], "default-locale": "de_DE",
        ])
        let client = testClient.client
        defer { client.close() }
        #expect(DocumentedSamples.types(client) == ("Default", 100, false))
        #expect(DocumentedSamples.json(client) == .fallback)
        #expect(DocumentedSamples.locale(client) == Locale(identifier: "en_US"))
        await DocumentedSamples.context(client)
        #expect(DocumentedSamples.types(client) == ("text", 7, true))
        #expect(DocumentedSamples.json(client) == DocumentedSamples.Theme(primary: "#fff", cornerRadius: 4))
        #expect(DocumentedSamples.locale(client) == Locale(identifier: "de_DE"))
    }

    @Test func contextsTakeEffectInTheirOrder() async {
        let testClient = makeTestClient()
        let client = testClient.client
        defer { client.close() }
        await DocumentedSamples.context(client)
        #expect(client.context?.id == "12345")
        #expect(client.context?.traits == ["region": "North America"])
        await DocumentedSamples.updates(client)
        #expect(client.context == ConfigDirectorContext(isAnonymous: true))
        await DocumentedSamples.traits(client)
        #expect(client.context?.traits?["regions"] == ["us-east", "eu-west"])
        #expect(testClient.contextUpdates.map(\.id) == ["12345", "654321", nil, "user-123"])
    }

    @Test func evaluationsAreForwarded() async {
        let testClient = makeTestClient(values: ["on": true])
        let client = testClient.client
        await client.initialize()
        let defaults = Task { await DocumentedSamples.defaultsUsed(client) { note($0) } }
        let switches = Task { await DocumentedSamples.switches(client) { note($0) } }
        while lines.withLock({ Set($0).count }) < 3 {
            _ = client.value(for: "nowhere", default: 1)
            _ = client.value(for: "nowhere", default: true)
            _ = client.value(for: "on", default: false)
            await Task.yield()
        }
        client.close()
        await defaults.value
        await switches.value
        #expect(
            Set(lines.withLock { $0 }) == [
                "'nowhere' fell back to its default: config-state-missing",
                "'nowhere' evaluated to true, value ID none",
                "'on' evaluated to true, value ID 5WwjWyUjJCIPKe8JswMQVH",
            ])
    }
}
