/// How much a logger is told, from nothing to everything.
public enum ConfigDirectorLogLevel: Int, Sendable, Comparable, CaseIterable {
    /// Nothing.
    case off = -1
    /// What needs a developer.
    case error
    /// Failures that are coped with.
    case warn
    /// What happens in the normal course.
    case info
    /// What helps those who work on the code.
    case debug

    /// Orders levels by how much they let through.
    public static func < (left: ConfigDirectorLogLevel, right: ConfigDirectorLogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// Where a client says what it does; adapting another logging library is one type with two members.
///
/// Called from any thread, also while a client's call is on the stack. Messages hold no key, and those at
/// ``ConfigDirectorLogLevel/info`` and above no context and no config's value.
public protocol ConfigDirectorLogger: Sendable {
    /// How much the logger is told: messages more verbose do not reach ``log(_:message:error:)``.
    ///
    /// May change at any time.
    var level: ConfigDirectorLogLevel { get }

    /// Takes a message.
    ///
    /// - Parameters:
    ///   - level: How important it is.
    ///   - message: One line of text.
    ///   - error: What went wrong, where there is more to tell.
    func log(_ level: ConfigDirectorLogLevel, message: String, error: (any Error)?)
}

extension ConfigDirectorLogger {
    /// Logs what helps those who work on the code.
    ///
    /// - Parameters:
    ///   - message: One line of text; built only if it is logged.
    ///   - error: What went wrong.
    public func debug(_ message: @autoclosure () -> String, error: (any Error)? = nil) {
        if level >= .debug { log(.debug, message: message(), error: error) }
    }

    /// Logs what happens in the normal course.
    ///
    /// - Parameters:
    ///   - message: One line of text; built only if it is logged.
    ///   - error: What went wrong.
    public func info(_ message: @autoclosure () -> String, error: (any Error)? = nil) {
        if level >= .info { log(.info, message: message(), error: error) }
    }

    /// Logs a failure that is coped with.
    ///
    /// - Parameters:
    ///   - message: One line of text; built only if it is logged.
    ///   - error: What went wrong.
    public func warn(_ message: @autoclosure () -> String, error: (any Error)? = nil) {
        if level >= .warn { log(.warn, message: message(), error: error) }
    }

    /// Logs what needs a developer.
    ///
    /// - Parameters:
    ///   - message: One line of text; built only if it is logged.
    ///   - error: What went wrong.
    public func error(_ message: @autoclosure () -> String, error: (any Error)? = nil) {
        if level >= .error { log(.error, message: message(), error: error) }
    }
}
