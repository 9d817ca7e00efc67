import FlagLocking
public import Flagstaff
import Foundation

/// A logger that keeps what a client reports, for a test to look at.
///
/// ```swift
/// let log = FlagLogRecorder()
/// let flags = service.makeClient { $0.logger = log }
/// ```
public final class FlagLogRecorder: FlagLogger {
    /// One message.
    public struct Entry: Hashable, Sendable {
        /// How important it is.
        public var level: FlagLogLevel
        /// Its text.
        public var message: String

        /// Makes an entry.
        ///
        /// - Parameters:
        ///   - level: How important it is.
        ///   - message: Its text.
        public init(level: FlagLogLevel, message: String) {
            self.level = level
            self.message = message
        }
    }

    private struct State: Sendable {
        var level: FlagLogLevel
        var entries: [Entry] = []
    }

    private let state: Lock<State>
    private let signal = ChangeSignal()
    private let onEntry: (@Sendable (Entry) -> Void)?

    /// Makes a recorder.
    ///
    /// - Parameters:
    ///   - level: The least level to record. Default ``FlagLogLevel/debug``.
    ///   - onEntry: Called with each entry on the thread that reports it; may call the client and the service. Default:
    ///     nothing.
    public init(level: FlagLogLevel = .debug, onEntry: (@Sendable (Entry) -> Void)? = nil) {
        state = Lock(State(level: level))
        self.onEntry = onEntry
    }

    /// The least level that is recorded; may change at any time.
    public var level: FlagLogLevel {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    /// What has been reported, in order.
    public var entries: [Entry] { state.withLock { $0.entries } }

    /// Forgets what has been reported.
    public func clear() {
        state.withLock { $0.entries = [] }
    }

    /// Records a message.
    public func log(_ level: FlagLogLevel, _ message: String) {
        let entry = Entry(level: level, message: message)
        let isRecorded = state.withLock { state in
            guard level >= state.level else { return false }
            state.entries.append(entry)
            return true
        }
        guard isRecorded else { return }
        onEntry?(entry)
        signal.notify()
    }

    /// Waits for a message, past ones included.
    ///
    /// - Parameters:
    ///   - text: What the message contains.
    ///   - limit: How long to wait at most, in seconds. Default 10.
    /// - Returns: The first such message.
    /// - Throws: ``TestTimeout`` when there is none in time.
    public func entry(containing text: String, within limit: Double = 10) async throws -> Entry {
        try await signal.value("a log message that contains '\(text)'", within: limit) {
            entries.first { $0.message.contains(text) }
        }
    }
}
