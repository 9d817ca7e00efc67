private import Foundation
import FlagLocking

/// A storage in memory: lost with the process, and with its last reference.
///
/// For tests, and for apps that must not write anything to disk.
public final class MemoryFlagStorage: FlagStorage {
    private struct Entry: Sendable {
        let bytes: [UInt8]
        let modified: Double
    }

    private let entriesByName = Lock<[String: Entry]>([:])
    private let now: @Sendable () -> Double

    /// Makes an empty storage.
    public convenience init() {
        self.init(now: { Date().timeIntervalSince1970 })
    }

    /// Makes an empty storage with a clock of its own.
    ///
    /// - Parameter now: Seconds since 1970.
    package init(now: @escaping @Sendable () -> Double) {
        self.now = now
    }

    /// The bytes under a name.
    ///
    /// - Parameter name: The name.
    /// - Returns: The bytes, or `nil` where there are none.
    /// - Throws: ``FlagStorageError`` for a name that is none.
    public func read(_ name: String) throws -> [UInt8]? {
        try FlagStorageError.check(name)
        return entriesByName.withLock { $0[name]?.bytes }
    }

    /// Puts bytes under a name, in place of former ones.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - name: The name.
    /// - Throws: ``FlagStorageError`` for a name that is none.
    public func write(_ bytes: [UInt8], as name: String) throws {
        try FlagStorageError.check(name)
        let entry = Entry(bytes: bytes, modified: now())
        entriesByName.withLock { $0[name] = entry }
    }

    /// Removes the bytes under a name, if there are any.
    ///
    /// - Parameter name: The name.
    /// - Throws: ``FlagStorageError`` for a name that is none.
    public func remove(_ name: String) throws {
        try FlagStorageError.check(name)
        entriesByName.withLock { $0[name] = nil }
    }

    /// What is stored.
    ///
    /// - Returns: An entry for each name.
    public func entries() throws -> [FlagStorageEntry] {
        entriesByName.withLock { entries in
            entries.map {
                FlagStorageEntry(name: $0.key, size: $0.value.bytes.count, modified: $0.value.modified)
            }
        }
    }
}
