import Dispatch
import FlagLocking
import FlagModel
import Flagstaff
import Foundation

/// A start from stored values of 1,000 flags, from opening the folder to the first read, against `JSONSerialization`
/// parsing the same file, whose bytes it is handed.
enum CacheStartBenchmark {
    /// Measures and prints one line per part, and one `result:` line with the ratio for the summary.
    static func run() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("flagstaff-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        guard let endpoint = URL(string: "http://127.0.0.1") else { return }
        let context = FlagContext(key: "user-123", attributes: ["plan": "pro", "beta": true])
        try store(context, in: folder)

        let files = FileFlagStorage(folder: folder)
        guard let entry = try files.entries().first, let bytes = try files.read(entry.name) else {
            throw FlagStorageError(code: .failed, message: "there is nothing stored")
        }
        let data = Data(bytes)
        var times: [(load: Double, start: Double, foundation: Double)] = []
        for round in 0..<60 {
            let flags = try FlagClient(.init(endpoint: endpoint))
            let begin = DispatchTime.now().uptimeNanoseconds
            guard let snapshot = load(context, from: folder) else {
                throw FlagStorageError(code: .failed, message: "the stored values are not found")
            }
            let loaded = DispatchTime.now().uptimeNanoseconds
            flags.serve(snapshot)
            guard flags.value(for: "feature-3", default: 0) == 42 else {
                throw FlagStorageError(code: .failed, message: "the stored values are others")
            }
            let started = DispatchTime.now().uptimeNanoseconds
            let object = try JSONSerialization.jsonObject(with: data)
            let parsed = DispatchTime.now().uptimeNanoseconds
            withExtendedLifetime(object) {}
            if round >= 10 {
                times.append(
                    (Double(loaded - begin), Double(started - begin), Double(parsed - started)))
            }
        }
        let load = median(times.map(\.load))
        let start = median(times.map(\.start))
        let foundation = median(times.map(\.foundation))
        let text = { (nanoseconds: Double) in String(format: "%.2f ms", nanoseconds / 1e6) }
        print(
            "\(bytes.count) bytes: found after \(text(load)), first read after \(text(start)), "
                + "JSONSerialization \(text(foundation))")
        print(
            "result: {\"what\": \"start from 1,000 stored flags to the first read\", "
                + "\"against\": \"JSONSerialization parsing the file\", "
                + "\"ratio\": \(String(format: "%.2f", start / foundation)), \"atMost\": 1}")
    }

    private static func storage(in folder: URL) -> ClientStorage {
        ClientStorage(FileFlagStorage(folder: folder), logger: SilentLogger(), time: SystemTime())
    }

    private static func store(_ context: FlagContext, in folder: URL) throws {
        let values: [FlagValue] = [
            true, false, "blue-theme", 42, 0.25, ["limit": 10, "title": "Grüße"],
        ]
        let flags = (0..<1000).map { index in
            FlagResolution(
                key: "feature-\(index)", value: values[index % values.count], variant: "variant-\(index % 4)",
                reason: index % 3 == 0 ? .targetingMatch : .static,
                metadata: [
                    "flagSetId": "web", "owner": .string("team-\(index % 7)"), "version": .int(Int64(index)),
                ])
        }
        let cache = SnapshotCache(storage(in: folder), policy: .disk())
        cache?.save(
            FlagSnapshot.received(
                BulkEvaluation(flags: flags, metadata: ["version": "7"]), etag: "\"7\"", for: context))
        let done = DispatchSemaphore(value: 0)
        cache?.flush { done.signal() }
        done.wait()
    }

    /// What a client does at its start: everything is made anew.
    private static func load(_ context: FlagContext, from folder: URL) -> FlagSnapshot? {
        let found = Lock<FlagSnapshot?>(nil)
        let done = DispatchSemaphore(value: 0)
        SnapshotCache(storage(in: folder), policy: .disk())?.load(for: context) { snapshot in
            found.withLock { $0 = snapshot }
            done.signal()
        }
        done.wait()
        return found.withLock { $0 }
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}
