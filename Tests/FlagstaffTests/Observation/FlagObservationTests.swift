import Dispatch
import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(2))) @MainActor struct FlagObservationTests {
    private let key = FlagKey("a", default: 0)

    /// Lets everything run that waits for the main queue.
    private func drainMainQueue() async {
        let drained = Recorder<Int>()
        DispatchQueue.main.async { drained.record(0) }
        _ = await drained[0]
    }

    private func recorded(_ observation: FlagObservation<Int>) -> Recorder<String> {
        let calls = Recorder<String>()
        observation.willChange = { [weak observation] in
            calls.record("will from \(observation?.value.map(String.init) ?? "nothing")")
        }
        observation.didChange = { calls.record("did to \($0)") }
        return calls
    }

    @Test func readsAtOnceAndTellsOfLaterValuesOnly() async {
        let flags = InMemoryFlags(["a": 1])
        let observation = FlagObservation<Int>()
        let calls = recorded(observation)
        #expect(observation.value == nil)
        #expect(observation.follow(key, on: flags.client) == 1)
        #expect(observation.follow(key, on: flags.client) == 1)
        #expect(flags.client.core.watcherCount == 1)
        flags.setValue(2, for: "a")
        flags.setValue(2, for: "b")
        await drainMainQueue()
        #expect(observation.value == 2)
        #expect(calls.elements == ["will from 1", "did to 2"])
    }

    @Test func doesNotTellOfWhatIsShownAlready() async {
        let flags = InMemoryFlags(["a": 1])
        let observation = FlagObservation<Int>()
        let calls = recorded(observation)
        observation.follow(key, on: flags.client)
        flags.setValue(2, for: "a")
        // Drawn for another reason, before the callback comes.
        #expect(observation.follow(key, on: flags.client) == 2)
        await drainMainQueue()
        #expect(calls.elements.isEmpty)
        flags.setValue(3, for: "a")
        await drainMainQueue()
        #expect(calls.elements == ["will from 2", "did to 3"])
    }

    @Test func followsAnotherClientOrFlagInPlaceOfTheFormer() async {
        let first = InMemoryFlags(["a": 1])
        let second = InMemoryFlags(["a": 10, "b": 20])
        let observation = FlagObservation<Int>()
        let calls = recorded(observation)
        observation.follow(key, on: first.client)
        // What was told before the switch is dropped with it.
        first.setValue(2, for: "a")
        #expect(observation.follow(key, on: second.client) == 10)
        #expect(first.client.core.watcherCount == 0)
        #expect(observation.follow(FlagKey("b", default: 0), on: second.client) == 20)
        #expect(second.client.core.watcherCount == 1)
        first.setValue(3, for: "a")
        second.setValue(11, for: "a")
        await drainMainQueue()
        #expect(calls.elements.isEmpty)
        second.setValue(21, for: "b")
        await drainMainQueue()
        #expect(calls.elements == ["will from 20", "did to 21"])
    }

    @Test func withoutAClientTheValueIsTheDefault() async {
        let flags = InMemoryFlags(["a": 1])
        let observation = FlagObservation<Int>()
        #expect(observation.follow(FlagKey("a", default: 7), on: nil) == 7)
        #expect(observation.follow(FlagKey("a", default: 7), on: flags.client) == 1)
        #expect(observation.follow(FlagKey("a", default: 8), on: nil) == 8)
        #expect(flags.client.core.watcherCount == 0)
    }

    @Test func countsWhatIsShownAndNotWhatIsTold() async {
        let flags = InMemoryFlags(["a": 1])
        flags.client.core.reads.isCounting = true
        let observation = FlagObservation<Int>()
        observation.follow(key, on: flags.client)
        flags.setValue(2, for: "a")
        await drainMainQueue()
        #expect(flags.client.core.reads.drain().map(\.count) == [1])
        observation.follow(key, on: flags.client)
        #expect(flags.client.core.reads.drain().map(\.count) == [1])
    }

    @Test func lettingGoOfItLeavesNothingBehind() async {
        let flags = InMemoryFlags(["a": 1])
        weak var released: FlagObservation<Int>?
        do {
            let observation = FlagObservation<Int>()
            released = observation
            observation.follow(key, on: flags.client)
            flags.setValue(2, for: "a")
        }
        #expect(released == nil)
        await drainMainQueue()
        #expect(flags.client.core.watcherCount == 0)
    }

    @Test func aThousandViewsOfOneFlagAreToldOnceEach() async {
        let flags = InMemoryFlags(["a": 0])
        let observations = (0..<1000).map { _ in FlagObservation<Int>() }
        let calls = Recorder<Int>()
        for observation in observations {
            observation.didChange = { calls.record($0) }
            observation.follow(key, on: flags.client)
        }
        for value in 1...10 { flags.setValue(.int(Int64(value)), for: "a") }
        await drainMainQueue()
        #expect(calls.elements == Array(repeating: 10, count: 1000))
    }
}
