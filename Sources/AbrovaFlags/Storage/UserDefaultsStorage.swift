import Flagstaff
import Foundation

/// A storage in a suite of `UserDefaults` of its own, never the app's.
///
/// Each name has the bytes and the time when they were written. The suite is looked up with each call, which is a look-up
/// in the system's own table: an object of it is not known to be `Sendable`.
struct UserDefaultsStorage: FlagStorage {
    /// The storage of this app.
    static let standard = UserDefaultsStorage(
        suiteName: "flagstaff.abrova."
            + (Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName))

    let suiteName: String
    /// How many bytes are stored at most, in all.
    var limit = UserDefaultsStorage.usualLimit

    // The system refuses more than 4 MiB, and ends an app on tvOS that stores more than 1 MiB.
    #if os(tvOS)
        static let usualLimit = 400_000
    #else
        static let usualLimit = 3_000_000
    #endif

    private static let bytesKey = "bytes"
    private static let timeKey = "time"

    func read(_ name: String) throws -> [UInt8]? {
        try FlagStorageError.check(name)
        return try suite().dictionary(forKey: name)?[Self.bytesKey].flatMap { $0 as? Data }.map { Array($0) }
    }

    func write(_ bytes: [UInt8], as name: String) throws {
        try FlagStorageError.check(name)
        let suite = try suite()
        let others = entries(of: suite).filter { $0.name != name }.reduce(0) { $0 + $1.size }
        guard others + bytes.count <= limit else {
            throw FlagStorageError(code: .full, message: "UserDefaults are no place for so many bytes")
        }
        suite.set(
            [Self.bytesKey: Data(bytes), Self.timeKey: Date().timeIntervalSince1970] as [String: Any],
            forKey: name)
        guard suite.synchronize() else {
            throw FlagStorageError(
                code: .failed, message: "UserDefaults could not be written: is the home directory writable?")
        }
    }

    func remove(_ name: String) throws {
        try FlagStorageError.check(name)
        let suite = try suite()
        suite.removeObject(forKey: name)
        _ = suite.synchronize()
    }

    func entries() throws -> [FlagStorageEntry] {
        entries(of: try suite())
    }

    private func entries(of suite: UserDefaults) -> [FlagStorageEntry] {
        (suite.persistentDomain(forName: suiteName) ?? [:]).compactMap { name, value in
            guard let parts = value as? [String: Any], let bytes = parts[Self.bytesKey] as? Data,
                let time = parts[Self.timeKey] as? Double
            else { return nil }
            return FlagStorageEntry(name: name, size: bytes.count, modified: time)
        }
    }

    private func suite() throws -> UserDefaults {
        guard let suite = UserDefaults(suiteName: suiteName) else {
            throw FlagStorageError(code: .unavailable, message: "there are no UserDefaults to store in")
        }
        return suite
    }
}
