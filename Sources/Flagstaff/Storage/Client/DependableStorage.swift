import FlagLocking

/// A storage that never fails: what the one below does not take is kept in memory, and a fault is said once.
///
/// Each write tries the storage below again, so that a disk that was full for a while is used again. What could not be
/// removed is hidden from then on.
final class DependableStorage: Sendable {
    /// What stands for a name in place of the storage below.
    private enum Shadow: Sendable {
        case bytes([UInt8], modified: Double)
        case removed
    }

    private struct State: Sendable {
        var shadows: [String: Shadow] = [:]
        var hasWarned = false
    }

    private let base: (any FlagStorage)?
    private let prefix: String
    private let logger: any FlagLogger
    private let now: @Sendable () -> Double
    private let state = Lock(State())

    /// Makes a storage over another.
    ///
    /// - Parameters:
    ///   - base: The storage below; `nil` where there is none to be had.
    ///   - prefix: What all names begin with in the storage below, where it is shared with others.
    ///   - logger: Where the first fault is reported.
    ///   - now: Seconds since 1970.
    init(
        over base: (any FlagStorage)?, prefix: String = "", logger: any FlagLogger,
        now: @escaping @Sendable () -> Double
    ) {
        self.base = base
        self.prefix = prefix
        self.logger = logger
        self.now = now
    }

    /// The bytes under a name.
    func read(_ name: String) -> [UInt8]? {
        switch shadow(name) {
        case .bytes(let bytes, _): return bytes
        case .removed: return nil
        case nil: break
        }
        do {
            return try base?.read(prefix + name)
        } catch {
            report(error)
            return nil
        }
    }

    /// Puts bytes under a name.
    func write(_ bytes: [UInt8], as name: String) {
        do {
            guard let base else {
                throw FlagStorageError(
                    code: .unavailable,
                    message: "the system names no folder to store in: set HOME, or `storage`")
            }
            try base.write(bytes, as: prefix + name)
            state.withLock { $0.shadows[name] = nil }
        } catch {
            let shadow = Shadow.bytes(bytes, modified: now())
            state.withLock { $0.shadows[name] = shadow }
            report(error)
        }
    }

    /// Removes the bytes under a name.
    func remove(_ name: String) {
        do {
            try base?.remove(prefix + name)
            state.withLock { $0.shadows[name] = nil }
        } catch {
            // Where nothing can be read, there is nothing to hide either.
            let isVisible = (try? base?.read(prefix + name)) != nil
            state.withLock { $0.shadows[name] = isVisible ? .removed : nil }
            report(error)
        }
    }

    /// What is stored under names that begin so.
    func entries(_ beginning: String) -> [FlagStorageEntry] {
        var entries: [String: FlagStorageEntry] = [:]
        do {
            for var entry in try base?.entries() ?? [] where entry.name.hasPrefix(prefix + beginning) {
                entry.name.removeFirst(prefix.count)
                entries[entry.name] = entry
            }
        } catch {
            report(error)
        }
        for (name, shadow) in state.withLock({ $0.shadows }) where name.hasPrefix(beginning) {
            switch shadow {
            case .bytes(let bytes, let modified):
                entries[name] = FlagStorageEntry(name: name, size: bytes.count, modified: modified)
            case .removed: entries[name] = nil
            }
        }
        return Array(entries.values)
    }

    private func shadow(_ name: String) -> Shadow? {
        state.withLock { $0.shadows[name] }
    }

    private func report(_ error: any Error) {
        let isFirst = state.withLock { state in
            defer { state.hasWarned = true }
            return !state.hasWarned
        }
        // An error of the app's own storage can say anything, in a message that must hold nothing personal.
        let reason = (error as? FlagStorageError)?.description ?? "the app's own storage failed"
        let level = isFirst ? FlagLogLevel.warning : .debug
        guard logger.level <= level else { return }
        logger.log(
            level,
            "what is to be stored on this device is kept in memory only, and ends with the process: \(reason)"
        )
    }
}
