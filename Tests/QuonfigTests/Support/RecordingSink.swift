import FlagLocking
import Quonfig

/// A sink that keeps what it is told.
final class RecordingSink: QuonfigLogSink {
    private let state = Lock<[(QuonfigLogLevel, String)]>([])

    var levels: [QuonfigLogLevel] { state.withLock { $0.map(\.0) } }
    var messages: [String] { state.withLock { $0.map(\.1) } }

    func emit(level: QuonfigLogLevel, message: String) {
        state.withLock { $0.append((level, message)) }
    }
}
