import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(1))) struct FlagIdentityStoreTests {
    private let base = FaultyStorage()
    private let log = StorageLog()

    /// The store of a run that starts now.
    private func store(_ name: String? = nil) -> FlagIdentityStore {
        FlagIdentityStore(storageName: name, storage: base, logger: log)
    }

    private static let context = FlagContext(
        key: "user-1", bucketingKey: "b", isAnonymous: true,
        attributes: [
            "plan": "pro", "big": .int(.max), "one": 1, "one.0": 1.0, "none": .null, "deep": ["a": [[:]]],
        ])

    @Test func idIsTheSameInEveryRun() async {
        let id = await store().anonymousID()
        #expect(UUID(uuidString: id) != nil)
        #expect(id == id.lowercased())
        #expect(await store().anonymousID() == id)
        #expect(store().waitForAnonymousID() == id)
        #expect(log.all.isEmpty)
    }

    @Test func namesHaveIdsOfTheirOwn() async {
        let ids = await [store().anonymousID(), store("a").anonymousID(), store("b").anonymousID()]
        #expect(Set(ids).count == 3)
    }

    @Test func resetMakesAnotherIdThatStays() async {
        let first = await store().anonymousID()
        let store = store()
        let second = store.resetAnonymousID()
        #expect(second != first)
        #expect(store.waitForAnonymousID() == second)
        await store.flush()
        #expect(await self.store().anonymousID() == second)
    }

    @Test func contextIsRememberedExactly() async {
        let store = store()
        #expect(await store.rememberedContext() == nil)
        store.remember(Self.context)
        #expect(store.waitForRememberedContext() == Self.context)
        await store.flush()
        let found = await self.store().rememberedContext()
        #expect(found == Self.context)
        #expect(found?.attributes["none"] == .null)
        #expect(self.store().waitForRememberedContext()?.attributes["one"] == 1)
    }

    @Test func numbersThatJSONCannotExpressAreNotRemembered() async {
        let store = store()
        store.remember(FlagContext(key: "u", attributes: ["nan": .double(.nan), "fine": 1.5]))
        await store.flush()
        #expect(await self.store().rememberedContext()?.attributes == ["fine": 1.5])
    }

    @Test func forgettingErasesTheContextAndKeepsTheId() async throws {
        let store = store()
        let id = await store.anonymousID()
        store.remember(Self.context)
        await store.flush()
        store.forget()
        await store.flush()
        let texts = try base.entries().map { String(decoding: try base.read($0.name) ?? [], as: UTF8.self) }
        #expect(texts.count == 1)
        #expect(!texts.contains { $0.contains("user-1") || $0.contains("pro") })
        #expect(await self.store().rememberedContext() == nil)
        #expect(await self.store().anonymousID() == id)
    }

    @Test func changesBeforeTheFirstQuestionWin() async {
        let first = store()
        let id = await first.anonymousID()
        first.remember(Self.context)
        await first.flush()

        let second = store()
        second.forget()
        #expect(await second.rememberedContext() == nil)
        #expect(await second.anonymousID() == id)

        let third = store()
        let newID = third.resetAnonymousID()
        #expect(await third.anonymousID() == newID)
        await third.flush()
        #expect(await store().anonymousID() == newID)
    }

    @Test func worksInMemoryWhereNothingCanBeStored() async {
        base.fail { faults in
            faults.reads = true
            faults.writes = true
            faults.removals = true
            faults.listings = true
        }
        let store = store()
        let id = await store.anonymousID()
        store.remember(Self.context)
        await store.flush()
        #expect(await store.anonymousID() == id)
        #expect(await store.rememberedContext() == Self.context)
        #expect(log.warnings.count == 1)
    }

    @Test func damagedFileIsReplaced() async throws {
        let id = await store().anonymousID()
        let name = try #require(try base.entries().first?.name)
        try base.write([1, 2], as: name)
        let next = await store().anonymousID()
        #expect(next != id)
        #expect(await store().anonymousID() == next)
        #expect(log.warnings.count == 1)
    }

    @Test func everyTruncationAndFlippedByteIsNoticed() {
        let identity = StoredIdentity(anonymousID: "id", context: Self.context)
        let file = identity.file
        #expect(StoredIdentity(file: file) == identity)
        #expect(StoredIdentity(file: StoredIdentity().file) == StoredIdentity())
        for count in 0..<file.count { #expect(StoredIdentity(file: Array(file.prefix(count))) == nil) }
        for index in file.indices {
            var damaged = file
            damaged[index] ^= 1
            #expect(StoredIdentity(file: damaged) == nil)
        }
    }

    @Test func storesInAFileOfItsOwnThatOtherProcessesMayUse() async throws {
        #if !canImport(Darwin)
            let folder = try StorageTestFolder()
            let environment = ["XDG_STATE_HOME": folder.url.path]
            let make = {
                FlagIdentityStore(storageName: nil, storage: nil, logger: log, environment: environment)
            }
            let id = await make().anonymousID()
            #expect(await make().anonymousID() == id)
            let files =
                FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
            #expect(files.filter { $0.hasSuffix("/identity") }.count == 1)
            #expect(!files.contains { $0.hasSuffix(".lock") })
            #expect(log.all.isEmpty)
        #endif
    }

    @Test func manyQuestionsAtOnceGetOneId() async {
        let store = store()
        let ids = await withTaskGroup(of: String.self) { group in
            for _ in 0..<32 { group.addTask { await store.anonymousID() } }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(base.writes == 1)
    }
}
