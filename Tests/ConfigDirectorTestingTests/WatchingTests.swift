import ConfigDirectorTesting
import Testing

/// Streams of values.
@Suite(.timeLimit(.minutes(1))) struct WatchingTests {
    @Test func yieldsTheCurrentValueAndThenEachChange() async {
        let testClient = makeTestClient(values: ["greeting": "hello"])
        defer { testClient.client.close() }
        var greetings = testClient.client.values(for: "greeting", default: "none").makeAsyncIterator()
        #expect(await greetings.next() == "none")
        await testClient.client.initialize()
        #expect(await greetings.next() == "hello")
        testClient.setValue("hi", for: "greeting")
        #expect(await greetings.next() == "hi")
    }

    @Test func keepsOnlyTheNewestValue() async {
        let testClient = makeTestClient(values: ["n": 1])
        await testClient.client.initialize()
        let numbers = testClient.client.values(for: "n", default: 0)
        testClient.setValue(2, for: "n")
        testClient.setValue(3, for: "n")
        testClient.client.close()
        #expect(await rest(of: numbers) == [3])
    }

    @Test func theSameValueYieldsNothingButAnEvent() async {
        let testClient = makeTestClient(values: ["n": 1])
        let client = testClient.client
        await client.initialize()
        let events = client.events
        var numbers = client.values(for: "n", default: 0).makeAsyncIterator()
        #expect(await numbers.next() == 1)
        testClient.setValue(1, for: "n")
        client.close()
        #expect(await numbers.next() == nil)
        #expect(await rest(of: events).map(\.story) == ["updated: n"])
    }

    @Test func aRemovedConfigYieldsTheDefault() async {
        let testClient = makeTestClient(values: ["n": 1])
        defer { testClient.client.close() }
        await testClient.client.initialize()
        var numbers = testClient.client.values(for: "n", default: 0).makeAsyncIterator()
        #expect(await numbers.next() == 1)
        testClient.removeValue(for: "n")
        #expect(await numbers.next() == 0)
    }

    @Test func eachReevaluationIsPublished() async {
        let testClient = makeTestClient(values: ["a": 1, "b": 1])
        let client = testClient.client
        await client.initialize()
        let evaluations = client.evaluations
        let streams = (client.values(for: "a", default: 0), client.values(for: "b", default: 0))
        testClient.setValue(1, for: "a")
        testClient.setValue(2, for: "b")
        testClient.removeValue(for: "unknown")
        client.close()
        let stories = await rest(of: evaluations).map(\.story)
        #expect(Array(stories.prefix(4)) == ["a=1", "b=1", "a=1", "b=2"].map { $0 + " found-match" })
        // A full set concerns all, in no stated order.
        #expect(stories.dropFirst(4).sorted() == ["a=1 found-match", "b=2 found-match"])
        withExtendedLifetime(streams) {}
    }

    @Test func decodedValuesAreWatchedToo() async {
        let testClient = makeTestClient(values: ["list": ["x"]])
        defer { testClient.client.close() }
        var lists = testClient.client.values(for: "list", as: [String].self, default: []).makeAsyncIterator()
        #expect(await lists.next() == [])
        await testClient.client.initialize()
        #expect(await lists.next() == ["x"])
        testClient.setValue(["x", "y"], for: "list")
        #expect(await lists.next() == ["x", "y"])
        testClient.setValue("text", for: "list")
        #expect(await lists.next() == [])
    }

    @Test func cancellingTheReaderEndsTheStream() async {
        let testClient = makeTestClient(values: ["n": 1])
        defer { testClient.client.close() }
        await testClient.client.initialize()
        let (reached, signal) = AsyncStream.makeStream(of: Int.self)
        let reader = Task { [client = testClient.client] in
            for await number in client.values(for: "n", default: 0) { signal.yield(number) }
        }
        var numbers = reached.makeAsyncIterator()
        #expect(await numbers.next() == 1)
        reader.cancel()
        await reader.value
        let evaluations = testClient.client.evaluations
        testClient.setValue(2, for: "n")
        testClient.client.close()
        #expect(await rest(of: evaluations).isEmpty)
    }

    @Test func eventsKeepTheNewest256() async {
        let testClient = makeTestClient()
        await testClient.client.initialize()
        let events = testClient.client.events
        for number in 0..<300 { testClient.setValue(1, for: "k\(number)") }
        testClient.client.close()
        let stories = await rest(of: events).map(\.story)
        #expect(stories == (44..<300).map { "updated: k\($0)" })
    }
}
