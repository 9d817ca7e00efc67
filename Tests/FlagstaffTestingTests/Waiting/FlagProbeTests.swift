import FlagstaffTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct FlagProbeTests {
    @Test func takesElementsOneByOne() async throws {
        let service = TestFlagService(values: ["greeting": "hello"])
        let flags = service.makeClient()
        let greetings = FlagProbe(flags.values(for: "greeting", default: "none"))
        #expect(try await greetings.next() == "none")
        await flags.start(context: FlagContext(key: "ada"))
        #expect(try await greetings.next() == "hello")
        service.setValue("hi", for: "greeting")
        #expect(try await greetings.next() == "hi")
        service.setValue("hi", for: "greeting")
        service.removeValue(for: "greeting")
        #expect(try await greetings.next() == "none")
        await flags.close()
        #expect(try await greetings.next() == nil)
        #expect(greetings.received == ["none", "hello", "hi", "none"])
    }

    @Test func passesOverWhatIsNotMeant() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let probe = FlagProbe(stream)
        for number in 1...9 { continuation.yield(number) }
        continuation.finish()
        #expect(try await probe.next { $0 > 3 } == 4)
        #expect(try await probe.elements { $0 == 6 } == [5, 6])
        #expect(try await probe.rest() == [7, 8, 9])
        #expect(try await probe.rest() == [])
        #expect(try await probe.next { $0 == 1 } == nil)
    }

    @Test func saysWhatDidNotHappenInTime() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let probe = FlagProbe(stream)
        continuation.yield(1)
        await #expect(throws: TestTimeout.self) { try await probe.next(within: 0.02) { $0 == 2 } }
        let error = TestTimeout(what: "an answer", limit: 2)
        #expect("\(error)" == "an answer: did not happen within 2.0 s")
    }

    @Test func aWaitEndsWithItsTask() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let probe = FlagProbe(stream)
        let wait = Task { try await probe.next() }
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
        continuation.finish()
    }

    @Test func readingEndsWithTheProbe() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        continuation.onTermination = { _ in end.yield(true) }
        var probe: FlagProbe<Int>? = FlagProbe(stream)
        #expect(probe?.received == [])
        probe = nil
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == true)
    }
}
