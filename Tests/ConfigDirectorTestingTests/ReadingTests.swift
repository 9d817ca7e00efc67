import ConfigDirectorTesting
import Testing

/// Values, their types, and what reads make of them.
@Suite(.timeLimit(.minutes(1))) struct ReadingTests {
    private struct Limits: Decodable, Equatable {
        var theme: String
        var limit: Int
    }

    private func ready(_ values: [String: TestValue]) async -> TestClient {
        let testClient = makeTestClient(values: values)
        await testClient.client.initialize()
        return testClient
    }

    @Test func startsUninitializedAndServesDefaults() {
        let testClient = makeTestClient(values: ["new-checkout": true])
        defer { testClient.client.close() }
        #expect(!testClient.client.isReady)
        #expect(!testClient.client.isInitializing)
        #expect(testClient.client.context == nil)
        #expect(!testClient.client.value(for: "new-checkout", default: false))
    }

    @Test func initializeCompletesAtOnceWithTheClientReady() async {
        let testClient = await ready(["new-checkout": true, "max-items": 20, "ratio": 2.5, "user": "Ada"])
        defer { testClient.client.close() }
        let client = testClient.client
        #expect(client.isReady)
        #expect(!client.isInitializing)
        #expect(client.value(for: "new-checkout", default: false))
        #expect(client.value(for: "max-items", default: 1) == 20)
        #expect(client.value(for: "ratio", default: 1.0) == 2.5)
        #expect(client.value(for: "user", default: "") == "Ada")
    }

    @Test func literalsDecideTheConfigType() async {
        let testClient = await ready([
            "boolean": true, "integer": 20, "float": 2.5, "string": "Ada",
            "object": ["theme": "dark", "limit": 3], "array": ["x", "y"],
        ])
        defer { testClient.client.close() }
        let client = testClient.client
        #expect(client.value(for: "integer", default: 0.5) == 20)
        #expect(client.value(for: "float", default: 0) == 2)
        #expect(client.value(for: "object", default: "") == #"{"limit":3,"theme":"dark"}"#)
        #expect(client.value(for: "array", default: "") == #"["x","y"]"#)
        #expect(
            client.value(for: "object", as: Limits.self, default: Limits(theme: "", limit: 0))
                == Limits(theme: "dark", limit: 3))
        #expect(client.value(for: "array", as: [String].self, default: []) == ["x", "y"])
        #expect(client.value(for: "string", as: String.self, default: "none") == "none")
        #expect(client.value(for: "boolean", default: "none") == "none")
    }

    @Test func jsonTextIsAStringConfig() async {
        let testClient = await ready(["text": #"{"limit":3}"#])
        defer { testClient.client.close() }
        #expect(testClient.client.value(for: "text", default: "") == #"{"limit":3}"#)
        #expect(testClient.client.value(for: "text", as: [String: Int].self, default: [:]).isEmpty)
    }

    @Test func readsFallBackWithTheReasonsOfProduction() async {
        let testClient = await ready([:])
        let client = testClient.client
        let evaluations = client.evaluations
        testClient.setValue(true, for: "k")
        #expect(client.value(for: "k", default: "in code") == "in code")
        testClient.setValue(2.5, for: "k")
        #expect(client.value(for: "k", default: 1) == 2)
        testClient.setValue("", for: "k")
        #expect(client.value(for: "k", default: "in code") == "in code")
        testClient.setValue("yes", for: "k")
        #expect(client.value(for: "k", default: true))
        #expect(client.value(for: "k", default: 7) == 7)
        testClient.setValue(["a": 1], for: "k")
        #expect(client.value(for: "k", as: [String].self, default: []).isEmpty)
        testClient.removeValue(for: "k")
        #expect(client.value(for: "k", default: 0.5) == 0.5)
        client.close()
        #expect(
            await rest(of: evaluations).map(\.story) == [
                "k=in code type-mismatch", "k=2.5 found-match", "k=in code value-missing",
                "k=true invalid-boolean", "k=7 invalid-number", "k=[] invalid-json",
                "k=0.5 config-state-missing",
            ])
    }

    @Test func everyValueIsServedToEveryContext() async {
        let testClient = await ready(["greeting": "hello"])
        defer { testClient.client.close() }
        for id in ["a", "b"] {
            await testClient.client.updateContext(ConfigDirectorContext(id: id))
            #expect(testClient.client.value(for: "greeting", default: "none") == "hello")
        }
    }

    @Test func floatsAreWrittenInPlainDigits() async {
        let testClient = await ready(["large": 1e21, "whole": 2.0])
        let client = testClient.client
        let evaluations = client.evaluations
        #expect(client.value(for: "large", default: 0.5) == 1e21)
        #expect(client.value(for: "whole", default: 0.5) == 2)
        client.close()
        let texts = await rest(of: evaluations).map(\.value.description)
        #expect(texts == ["1000000000000000000000.0", "2.0"])
    }
}
