/// Where the service tells what happens: lines with fields, never with a context's values or a key.
package struct ServiceLog: Sendable {
    /// How much a line matters.
    package enum Level: Int, Sendable, Comparable, CaseIterable {
        case debug, info, warning, error

        /// Compares by weight.
        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

        /// The level's name as it is written in lines and options.
        package var name: String {
            switch self {
            case .debug: "debug"
            case .info: "info"
            case .warning: "warning"
            case .error: "error"
            }
        }
    }

    /// One line.
    package struct Entry: Sendable {
        package var level: Level
        package var message: String
        /// What the line is about, in order.
        package var fields: [(name: String, value: String)]

        /// Makes a line.
        package init(level: Level, message: String, fields: [(name: String, value: String)] = []) {
            self.level = level
            self.message = message
            self.fields = fields
        }
    }

    /// Lines below this level are not made.
    ///
    /// Default: info.
    package var level: Level
    private let sink: @Sendable (Entry) -> Void

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - level: Lines below this level are not made.
    ///   - sink: Called from any thread, several at once.
    package init(level: Level = .info, sink: @escaping @Sendable (Entry) -> Void) {
        self.level = level
        self.sink = sink
    }

    /// A log that says nothing.
    package static let silent = ServiceLog(level: .error) { _ in }

    /// Writes a line, if its level is not below the log's.
    package func write(
        _ level: Level, _ message: @autoclosure () -> String, _ fields: (name: String, value: String)...
    ) {
        if level >= self.level { sink(Entry(level: level, message: message(), fields: fields)) }
    }
}
