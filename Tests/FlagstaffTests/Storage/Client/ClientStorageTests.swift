import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite struct ClientStorageTests {
    private let folder: StorageTestFolder
    private let time = SettableTime()
    private let log = StorageLog()

    init() throws {
        folder = try StorageTestFolder()
    }

    private func storage(
        key: String = "client-secret", _ change: (inout FlagClientConfiguration) -> Void = { _ in },
        environment: [String: String]? = nil
    ) throws -> ClientStorage {
        let endpoint = try #require(URL(string: "https://flags.example.com"))
        var configuration = FlagClientConfiguration(endpoint: endpoint, key: key)
        configuration.logger = log
        #if canImport(Darwin)
            configuration.storage = FileFlagStorage(folder: folder.url)
        #endif
        change(&configuration)
        return ClientStorage(
            configuration, service: try ServiceAddress(configuration), time: time,
            environment: environment ?? ["XDG_STATE_HOME": folder.url.path])
    }

    private func allFiles() throws -> [(path: String, text: String)] {
        let paths =
            FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
        return paths.map { path in
            (path, String(decoding: (try? Data(contentsOf: folder.url(path))) ?? Data(), as: UTF8.self))
        }
    }

    @Test func neitherKeyNorContextIsOnTheDisk() async throws {
        let context = FlagContext(
            key: "user-key-42", bucketingKey: "bucket-42", attributes: ["mail": "me@example.com"])
        let storage = try storage()
        let cache = try #require(SnapshotCache(storage, policy: .disk()))
        cache.save(
            FlagSnapshot.empty.replaced(
                by: Answers.evaluation(["a": 1]), etag: "e", context: context,
                time: Date(timeIntervalSince1970: time.now().wall)))
        await cache.flushed()
        let files = try allFiles()
        #expect(files.contains { $0.text.contains("flagstaff-snapshot") })
        for secret in [
            "client-secret", "user-key-42", "bucket-42", "me@example.com", "mail", "flags.example.com",
        ] {
            #expect(!files.contains { $0.path.contains(secret) || $0.text.contains(secret) })
        }
    }

    @Test func clientsWithDifferentKeysShareNothing() async throws {
        let context = FlagContext(key: "u")
        let snapshot = FlagSnapshot.empty.replaced(
            by: Answers.evaluation(["a": 1]), etag: "e", context: context,
            time: Date(timeIntervalSince1970: time.now().wall))
        let shared = MemoryFlagStorage()
        for isShared in [false, true] {
            let setUp = { (configuration: inout FlagClientConfiguration) in
                if isShared { configuration.storage = shared }
            }
            let one = try #require(SnapshotCache(try storage(key: "one", setUp), policy: .disk()))
            one.save(snapshot)
            await one.flushed()
            let other = try #require(SnapshotCache(try storage(key: "two", setUp), policy: .disk()))
            #expect(await other.loaded(for: context) == nil)
            other.removeAll()
            await other.flushed()
            let again = try #require(SnapshotCache(try storage(key: "one", setUp), policy: .disk()))
            #expect(await again.loaded(for: context)?.value(for: "a", default: 0) == 1)
        }
    }

    @Test(arguments: [FlagCachePolicy.memory, .off]) func writesNothingToDiskUnlessAllowed(
        policy: FlagCachePolicy
    ) async throws {
        let app = FaultyStorage()
        let storage = try storage { configuration in
            configuration.cache = policy
            configuration.storage = app
        }
        let queue = BatchQueue(storage)
        #expect(queue.append(id: "1", bytes: [1]))
        #expect(queue.oldest()?.bytes == [1])
        #expect((SnapshotCache(storage, policy: policy) == nil) == (policy == .off))
        #expect(app.writes == 0)
        #expect(try allFiles().isEmpty)
    }

    #if !canImport(Darwin)
        @Test func worksInMemoryWithoutAHomeAndSaysSoOnce() throws {
            let storage = try storage(environment: [:])
            let queue = BatchQueue(storage)
            #expect(queue.append(id: "1", bytes: [1]))
            #expect(queue.append(id: "2", bytes: [2]))
            queue.remove(id: "1")
            #expect(queue.batches().map(\.id) == ["2"])
            #expect(log.warnings.count == 1)
            #expect(log.warnings.first?.contains("HOME") == true)
        }

        @Test func worksInMemoryWhereTheFolderCannotBeMade() async throws {
            try folder.write([1], to: "file")
            let storage = try storage(environment: ["HOME": folder.path("file")])
            let cache = try #require(SnapshotCache(storage, policy: .disk()))
            let context = FlagContext(key: "u")
            cache.save(
                FlagSnapshot.empty.replaced(
                    by: Answers.evaluation(["a": 1]), etag: nil, context: context,
                    time: Date(timeIntervalSince1970: time.now().wall)))
            await cache.flushed()
            #expect(await cache.loaded(for: context)?.value(for: "a", default: 0) == 1)
            #expect(log.warnings.count == 1)
        }
    #endif

    #if !canImport(Darwin)
        @Test func foldersThatNobodyUsedForHalfAYearAreRemoved() async throws {
            let base = "flagstaff/1"
            let old = Date(timeIntervalSinceNow: -181 * 86400)
            let names = Dictionary(
                uniqueKeysWithValues: zip(
                    ["unused", "used", "held", "identity", "foreign"],
                    (0..<5).map { "\(base)/\(String(repeating: "\($0)", count: 32))" }))
            for (kind, name) in names {
                try FileManager.default.createDirectory(
                    at: folder.url(name), withIntermediateDirectories: true)
                for file in ["snapshot-1", ".new-1"] { try folder.write([1], to: "\(name)/\(file)") }
                if kind != "identity" { try folder.write([], to: "\(name)/.lock") }
            }
            try folder.write([1], to: "\(names["foreign"] ?? "")/Something else")
            let held = FileFlagStorage(folder: folder.url(names["held"] ?? ""))
            #expect(try held.entries().count == 1)
            for kind in ["unused", "held", "identity", "foreign"] {
                try? FileManager.default.setAttributes(
                    [.modificationDate: old], ofItemAtPath: folder.path("\(names[kind] ?? "")/.lock"))
            }

            let cache = try #require(SnapshotCache(try storage(), policy: .disk()))
            cache.save(
                FlagSnapshot.received(Answers.evaluation(["a": 1]), etag: nil, for: FlagContext(key: "u")))
            await cache.flushed()
            let left = try folder.names(base)
            #expect(left.count == 5)
            #expect(!left.contains { "\(base)/\($0)" == names["unused"] })
            #expect(try folder.names(names["foreign"] ?? "") == ["Something else"])
            #expect(try folder.names(names["used"] ?? "").count == 3)
            #expect(try folder.names(names["held"] ?? "") == [".lock", "snapshot-1"])
            #expect(try folder.names(names["identity"] ?? "").count == 2)
            #expect(log.all.isEmpty)
        }
    #endif

    @Test func policiesSayWhatTheyAre() {
        #expect(FlagCachePolicy.disk().description == "disk (10 contexts, 30 days)")
        #expect(FlagCachePolicy.memory.description == "memory")
        #expect(FlagCachePolicy.off.description == "off")
        #expect(FlagCachePolicy.disk(contexts: 0, age: .nan) == .disk(contexts: 1))
        #expect(FlagCachePolicy.disk(contexts: .max, age: -1) == .disk(contexts: 1000))
    }
}
