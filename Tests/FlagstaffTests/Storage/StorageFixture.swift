import FlagLocking
import FlagModel
import Foundation

@testable import Flagstaff

/// A folder of its own for one test, removed with it.
final class StorageTestFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("flagstaff-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func url(_ name: String) -> URL { url.appendingPathComponent(name) }

    func path(_ name: String) -> String { url(name).path }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: url(name))
    }

    func names(_ folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
    }
}

/// A clock that a test sets, forward and back.
final class SettableTime: TimeSource {
    private let moment = Lock(Moment(uptime: 1000, wall: 1_800_000_000, random: 0.5))

    func now() -> Moment { moment.withLock { $0 } }

    /// Lets time pass.
    func advance(by seconds: Double) {
        moment.withLock { moment in
            moment.uptime += seconds
            moment.wall += seconds
        }
    }

    /// Sets the clock without time passing.
    func set(by seconds: Double) {
        moment.withLock { $0.wall += seconds }
    }

    func schedule(after delay: Double, _ body: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        ManualTime().schedule(after: delay, body)
    }
}

/// Keeps what was logged.
final class StorageLog: FlagLogger {
    private let lines = Lock<[(level: FlagLogLevel, text: String)]>([])

    var level: FlagLogLevel { .debug }

    func log(_ level: FlagLogLevel, _ message: String) {
        lines.withLock { $0.append((level, message)) }
    }

    /// The messages of warnings and errors.
    var warnings: [String] { lines.withLock { $0.filter { $0.level >= .warning }.map(\.text) } }

    /// All messages.
    var all: [String] { lines.withLock { $0.map(\.text) } }
}

/// A storage that does what a test wants it to.
final class FaultyStorage: FlagStorage {
    struct Faults: Sendable {
        var reads = false
        var writes = false
        var removals = false
        var listings = false
        var error: any Error = FlagStorageError(code: .full, message: "no room")
    }

    let base: MemoryFlagStorage
    private let faults = Lock(Faults())
    private let writeCount = Lock(0)
    /// Called before each write, where one waits for another.
    let willWrite = Lock<(@Sendable (String) -> Void)?>(nil)

    init(_ base: MemoryFlagStorage = MemoryFlagStorage()) {
        self.base = base
    }

    /// How many writes there were, those that failed too.
    var writes: Int { writeCount.withLock { $0 } }

    func fail(_ change: (inout Faults) -> Void) {
        faults.withLock(change)
    }

    private func check(_ isFaulty: (Faults) -> Bool) throws {
        try faults.withLock { if isFaulty($0) { throw $0.error } }
    }

    func read(_ name: String) throws -> [UInt8]? {
        try check { $0.reads }
        return try base.read(name)
    }

    func write(_ bytes: [UInt8], as name: String) throws {
        willWrite.withLock { $0 }?(name)
        writeCount.withLock { $0 += 1 }
        try check { $0.writes }
        try base.write(bytes, as: name)
    }

    func remove(_ name: String) throws {
        try check { $0.removals }
        try base.remove(name)
    }

    func entries() throws -> [FlagStorageEntry] {
        try check { $0.listings }
        return try base.entries()
    }
}

extension SnapshotCache {
    /// What is stored for a context.
    func loaded(for context: FlagContext) async -> FlagSnapshot? {
        // Handed over by a recorder, whose lock the Thread Sanitizer sees, unlike a continuation's.
        let found = Recorder<FlagSnapshot?>()
        load(for: context) { found.record($0) }
        return await found[0]
    }

    /// Waits until everything is stored.
    func flushed() async {
        await withCheckedContinuation { continuation in flush { continuation.resume() } }
    }
}
