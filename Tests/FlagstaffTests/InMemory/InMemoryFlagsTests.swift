import Flagstaff
import Foundation
import Testing

// With the public interface alone: this is what previews and an app's tests do.
@Suite(.timeLimit(.minutes(2))) struct InMemoryFlagsTests {
    @Test func clientIsReadyAtOnce() {
        let flags = FlagClient.inMemory(
            ["on": true, "max": 20, "ratio": 2.5, "theme": "dark", "big": 9_007_199_254_740_993],
            context: FlagContext(key: "user"))
        #expect(flags.status.isReady)
        #expect(flags.isEnabled("on"))
        #expect(flags.value(for: "max", default: 0) == 20)
        #expect(flags.value(for: "ratio", default: 0.0) == 2.5)
        #expect(flags.value(for: "theme", default: "light") == "dark")
        #expect(flags.value(for: "big", default: Int64(0)) == 9_007_199_254_740_993)
        #expect(flags.evaluation(of: "on", default: false).reason == .static)
        #expect(flags.evaluation(of: "none", default: 1).errorCode == .flagNotFound)
        #expect(flags.context.targetingKey == "user")
        #expect(flags.status.connection == .streaming)
        #expect(FlagClient.inMemory().status.isReady)
    }

    @Test func valuesAreThereWhenTheCallReturns() {
        let flags = InMemoryFlags(["a": 1])
        flags.setValue(2, for: "a")
        #expect(flags.client.value(for: "a", default: 0) == 2)
        flags.setValue("new", for: "b")
        #expect(flags.client.value(for: "b", default: "") == "new")
        flags.removeValue(for: "a")
        #expect(flags.client.value(for: "a", default: 0) == 0)
        flags.replaceValues(["c": true])
        #expect(flags.client.snapshot.keys == ["c"])
        #expect(flags.values == ["c": true])
    }

    @Test func watchersAndCallbacksAreTold() async {
        let flags = InMemoryFlags(["a": 1, "b": 1])
        var values = flags.client.values(for: "a", default: 0).makeAsyncIterator()
        var changes = flags.client.changes.makeAsyncIterator()
        #expect(await values.next() == 1)
        let token = flags.client.onChange(of: "a", default: 0, on: .immediate) { value in
            // Changes of its own come after this one.
            if value < 5 { flags.setValue(.int(Int64(value + 1)), for: "a") }
        }
        flags.setValue(3, for: "a")
        #expect(flags.client.value(for: "a", default: 0) == 5)
        #expect(await values.next() == 5)
        #expect(await changes.next()?.changedKeys == ["a"])
        flags.setValue(5, for: "a")
        flags.setValue(2, for: "b")
        #expect(await changes.next()?.changedKeys == ["b"])
        token.cancel()
    }

    @Test func contextCanBeChangedAndValuesRefreshed() async {
        let flags = InMemoryFlags(["a": 1])
        #expect(await flags.client.setContext(FlagContext(key: "other")) == .fresh)
        #expect(flags.client.context.targetingKey == "other")
        #expect(flags.client.snapshot.context.targetingKey == "other")
        #expect(!flags.client.snapshot.isStale)
        flags.setValue(2, for: "a")
        #expect(await flags.client.refresh() == .fresh)
        #expect(flags.client.value(for: "a", default: 0) == 2)
        #expect(await flags.client.start(context: FlagContext(key: "third")) == .fresh)
        flags.setValue(3, for: "a")
        #expect(flags.client.value(for: "a", default: 0) == 3)
    }

    @Test func closedClientKeepsItsValues() async {
        let flags = InMemoryFlags(["a": 1])
        await flags.client.close()
        flags.setValue(2, for: "a")
        #expect(flags.client.value(for: "a", default: 0) == 1)
        #expect(await flags.client.refresh() == .closed)
    }

    @Test func clientWorksOnWithoutItsFlagsAndLeavesNothingBehind() async {
        weak var client: FlagClient?
        do {
            let kept = FlagClient.inMemory(["a": 1])
            client = kept
            #expect(await kept.setContext(FlagContext(key: "other")) == .fresh)
            #expect(kept.value(for: "a", default: 0) == 1)
        }
        #expect(client == nil)
    }

    @Test func endsOnTheLastValueWithSeveralWriters() async {
        let flags = InMemoryFlags()
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for value in 1...250 { flags.setValue(.int(Int64(value)), for: "w\(writer)") }
                }
            }
            group.addTask { await flags.client.setContext(FlagContext(key: "other")) }
        }
        for writer in 0..<4 { #expect(flags.client.value(for: "w\(writer)", default: 0) == 250) }
    }
}
