import Dispatch
import FlagLocking
import FlagModel
import Flagstaff
import Foundation

/// What a client stores, without the client.
struct ProbeStorage {
    let queue: BatchQueue
    let cache: SnapshotCache

    init(folder: String, log: ProbeLog = ProbeLog()) {
        let storage = ClientStorage(
            FileFlagStorage(folder: URL(fileURLWithPath: folder)), logger: log, time: SystemTime())
        queue = BatchQueue(storage, maximumBatches: 10_000, maximumBytes: 1 << 30, maximumAge: 86400)
        guard let cache = SnapshotCache(storage, policy: .disk()) else { fatalError("there is no cache") }
        self.cache = cache
    }

    /// Stores values and waits for it.
    func save(_ number: Int) {
        cache.save(
            FlagSnapshot.received(ProbeContent.answer(number), etag: "\(number)", for: ProbeContent.context))
        let done = DispatchSemaphore(value: 0)
        cache.flush { done.signal() }
        done.wait()
    }

    /// What is stored, or `nil`.
    func load() -> FlagSnapshot? {
        let result = Result()
        let done = DispatchSemaphore(value: 0)
        cache.load(for: ProbeContent.context) { snapshot in
            result.snapshot.withLock { $0 = snapshot }
            done.signal()
        }
        done.wait()
        return result.snapshot.withLock { $0 }
    }

    private final class Result: Sendable {
        let snapshot = Lock<FlagSnapshot?>(nil)
    }
}
