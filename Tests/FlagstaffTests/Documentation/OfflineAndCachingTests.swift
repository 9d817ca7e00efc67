import Flagstaff
import Foundation
import Testing

/// The samples of the article "Offline and caching", as an app would write them: with the public interface alone.
@Suite(.timeLimit(.minutes(1))) struct OfflineAndCachingTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("flagstaff-\(UUID().uuidString)")

    @Test func clientIsToldWhatToKeepAndWhere() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // Port 9 is for discarding: nobody answers there.
        let url = try #require(URL(string: "http://127.0.0.1:9"))
        let cipher = Mirror()
        var configuration = FlagClientConfiguration(endpoint: url, key: "client-key")
        configuration.cache = .disk(contexts: 3, age: 7 * 86400)
        configuration.storageName = "extension"
        configuration.storage = EncryptedStorage(files: FileFlagStorage(folder: folder), cipher: cipher)
        configuration.logger = SilentLogger()
        let flags = try FlagClient(configuration)
        await flags.start(context: FlagContext(key: "user-123"), timeout: 0)
        await flags.close()
    }

    @Test func storageOfTheAppsOwnKeepsItsBytes() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = FileFlagStorage(folder: folder)
        let storage = EncryptedStorage(files: files, cipher: Mirror())
        try storage.write([1, 2, 3], as: "a")
        #expect(try storage.read("a") == [1, 2, 3])
        #expect(try files.read("a") == [254, 253, 252])
        #expect(try storage.entries().map(\.name) == ["a"])
        try storage.remove("a")
        #expect(try storage.read("a") == nil)
    }

    @Test func appKnowsItsUserAgain() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:9"))
        var configuration = FlagClientConfiguration(endpoint: url)
        configuration.logger = SilentLogger()
        configuration.cache = .memory
        let storage = MemoryFlagStorage()
        let session = Session(
            flags: try FlagClient(configuration), identity: FlagIdentityStore(storage: storage))
        let atFirst = await session.contextAtStart()
        #expect(atFirst.isAnonymous)
        await session.signIn(FlagContext(key: "user-123"))
        await session.identity.flush()
        #expect(await FlagIdentityStore(storage: storage).rememberedContext()?.targetingKey == "user-123")
        #expect(await session.contextAtStart().targetingKey == "user-123")
        await session.signOut()
        #expect(await session.contextAtStart() == atFirst)
        await session.flags.close()
    }
}

private struct Session {
    let flags: FlagClient
    let identity: FlagIdentityStore

    func contextAtStart() async -> FlagContext {
        if let context = await identity.rememberedContext() { return context }
        return FlagContext(key: await identity.anonymousID(), isAnonymous: true)
    }

    func signIn(_ user: FlagContext) async {
        identity.remember(user)
        await flags.setContext(user)
    }

    func signOut() async {
        identity.forget()
        await flags.setContext(FlagContext(key: await identity.anonymousID(), isAnonymous: true))
    }
}

/// How an app makes the store; here it would write to the home folder of whoever runs the tests.
private func standardIdentity() -> FlagIdentityStore {
    let identity = FlagIdentityStore()
    return identity
}

private protocol Cipher: Sendable {
    func seal(_ bytes: [UInt8]) throws -> [UInt8]
    func open(_ bytes: [UInt8]) throws -> [UInt8]
}

/// A cipher that hides nothing.
private struct Mirror: Cipher {
    func seal(_ bytes: [UInt8]) throws -> [UInt8] { bytes.map { ~$0 } }
    func open(_ bytes: [UInt8]) throws -> [UInt8] { bytes.map { ~$0 } }
}

private struct EncryptedStorage: FlagStorage {
    let files: FileFlagStorage
    let cipher: any Cipher

    func read(_ name: String) throws -> [UInt8]? { try files.read(name).map(cipher.open) }
    func write(_ bytes: [UInt8], as name: String) throws { try files.write(cipher.seal(bytes), as: name) }
    func remove(_ name: String) throws { try files.remove(name) }
    func entries() throws -> [FlagStorageEntry] { try files.entries() }
}
