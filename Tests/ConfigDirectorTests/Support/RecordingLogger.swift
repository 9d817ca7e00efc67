import ConfigDirector
import Foundation

/// A logger that keeps what it is told; safe from any thread.
final class RecordingLogger: ConfigDirectorLogger, @unchecked Sendable {
    // Unchecked: the entries are only touched under the lock.

    struct Entry: Sendable {
        let level: ConfigDirectorLogLevel
        let message: String
        let error: (any Error)?
    }

    let level: ConfigDirectorLogLevel
    private let lock = NSLock()
    private var stored: [Entry] = []
    private let onEntry: (@Sendable (Entry) -> Void)?

    init(level: ConfigDirectorLogLevel = .warn, onEntry: (@Sendable (Entry) -> Void)? = nil) {
        self.level = level
        self.onEntry = onEntry
    }

    var entries: [Entry] {
        lock.lock()
        defer { lock.unlock() }
        return stored
    }

    func entries(_ level: ConfigDirectorLogLevel) -> [Entry] { entries.filter { $0.level == level } }

    func log(_ level: ConfigDirectorLogLevel, message: String, error: (any Error)?) {
        let entry = Entry(level: level, message: message, error: error)
        lock.lock()
        stored.append(entry)
        lock.unlock()
        onEntry?(entry)
    }
}
