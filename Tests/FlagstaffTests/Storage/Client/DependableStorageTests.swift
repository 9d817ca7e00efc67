import Testing

@testable import Flagstaff

@Suite struct DependableStorageTests {
    private let base = FaultyStorage()
    private let log = StorageLog()

    private func storage(_ base: (any FlagStorage)?, prefix: String = "") -> DependableStorage {
        DependableStorage(over: base, prefix: prefix, logger: log, now: { 5 })
    }

    @Test func passesEverythingOnWhileAllIsWell() throws {
        let storage = storage(base, prefix: "p.")
        storage.write([1], as: "a")
        #expect(try base.base.read("p.a") == [1])
        try base.base.write([2], as: "other.a")
        #expect(storage.read("a") == [1])
        #expect(storage.entries("").map(\.name) == ["a"])
        #expect(storage.entries("b").isEmpty)
        storage.remove("a")
        #expect(try base.base.entries().map(\.name) == ["other.a"])
        #expect(log.all.isEmpty)
    }

    @Test func keepsInMemoryWhatADiskDoesNotTake() throws {
        let storage = storage(base)
        storage.write([1], as: "a")
        base.fail { $0.writes = true }
        storage.write([2], as: "a")
        storage.write([3, 3], as: "b")
        #expect(storage.read("a") == [2])
        #expect(storage.read("b") == [3, 3])
        #expect(try base.base.read("a") == [1])
        #expect(
            storage.entries("").sorted { $0.name < $1.name }.map { [$0.name, "\($0.size)"] }
                == [["a", "1"], ["b", "2"]])
        storage.remove("b")
        #expect(storage.read("b") == nil)
        #expect(log.warnings.count == 1)
        #expect(log.warnings.first?.contains("no room") == true)
    }

    @Test func goesBackToTheDiskWhenItTakesSomethingAgain() throws {
        let storage = storage(base)
        base.fail { $0.writes = true }
        storage.write([1], as: "a")
        base.fail { $0.writes = false }
        storage.write([2], as: "a")
        #expect(try base.base.read("a") == [2])
        try base.base.write([3], as: "a")
        #expect(storage.read("a") == [3])
    }

    @Test func hidesWhatCannotBeRemoved() {
        let storage = storage(base)
        storage.write([1], as: "a")
        base.fail { $0.removals = true }
        storage.remove("a")
        storage.remove("never-there")
        #expect(storage.read("a") == nil)
        #expect(storage.entries("").isEmpty)
        base.fail { $0.removals = false }
        storage.write([2], as: "a")
        #expect(storage.read("a") == [2])
    }

    @Test func worksWithoutAnyStorage() {
        let storage = storage(nil)
        #expect(storage.read("a") == nil)
        storage.remove("a")
        #expect(storage.entries("").isEmpty)
        #expect(log.all.isEmpty)
        storage.write([1], as: "a")
        storage.write([1], as: "b")
        #expect(storage.read("a") == [1])
        #expect(storage.entries("").count == 2)
        #expect(log.warnings.count == 1)
    }

    @Test func readsNothingFromAStorageThatFails() {
        struct Private: Error, CustomStringConvertible {
            let description = "user-123's secret"
        }
        base.fail { faults in
            faults.reads = true
            faults.listings = true
            faults.error = Private()
        }
        let storage = storage(base)
        #expect(storage.read("a") == nil)
        #expect(storage.entries("").isEmpty)
        #expect(log.warnings.count == 1)
        #expect(!log.all.contains { $0.contains("secret") })
    }
}
