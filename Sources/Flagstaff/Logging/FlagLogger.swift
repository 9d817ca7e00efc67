/// Where a client reports what it does.
///
/// Adapting another logging library is one type with two members.
///
/// Called from any thread, also while a client's call is on the stack; a slow logger slows the client's networking
/// but never a read. Messages at ``FlagLogLevel/info`` and above hold nothing personal: no context, no value of a flag,
/// no address of a stream. None holds a key.
public protocol FlagLogger: Sendable {
    /// The least level of interest: messages below it do not reach ``log(_:_:)``.
    ///
    /// May change at any time.
    var level: FlagLogLevel { get }

    /// Takes a message.
    ///
    /// - Parameters:
    ///   - level: How important it is.
    ///   - message: One line of text.
    func log(_ level: FlagLogLevel, _ message: String)
}

extension FlagLogger {
    /// Logs a message for those who work on the code, if the logger's level is that low.
    ///
    /// - Parameter message: One line of text; built only if it is logged.
    public func debug(_ message: @autoclosure () -> String) {
        if level <= .debug { log(.debug, message()) }
    }

    /// Logs what happens in the normal course, if the logger's level is that low.
    ///
    /// - Parameter message: One line of text; built only if it is logged.
    public func info(_ message: @autoclosure () -> String) {
        if level <= .info { log(.info, message()) }
    }

    /// Logs a failure that is coped with, if the logger's level is that low.
    ///
    /// - Parameter message: One line of text; built only if it is logged.
    public func warning(_ message: @autoclosure () -> String) {
        if level <= .warning { log(.warning, message()) }
    }

    /// Logs what needs a developer.
    ///
    /// - Parameter message: One line of text.
    public func error(_ message: @autoclosure () -> String) {
        if level <= .error { log(.error, message()) }
    }
}

/// How important a message is.
///
/// These four are all there will be. There is none for "off", as no message has it: a client that is to say nothing
/// gets a ``SilentLogger``.
public enum FlagLogLevel: Int, Hashable, Sendable, Comparable {
    /// For those who work on the client itself.
    case debug
    /// What happens in the normal course.
    case info
    /// Something failed that the client copes with.
    case warning
    /// Something that needs a developer, such as a refused key.
    case error

    /// Orders levels by importance.
    public static func < (left: FlagLogLevel, right: FlagLogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A logger that says nothing.
public struct SilentLogger: FlagLogger {
    /// Makes the logger.
    public init() {}

    /// The highest level.
    public var level: FlagLogLevel { .error }

    /// Does nothing.
    public func log(_ level: FlagLogLevel, _ message: String) {}
}

/// The system log on Apple platforms, standard error elsewhere; warnings and above.
func defaultFlagLogger() -> any FlagLogger {
    #if canImport(os)
        SystemLogger(level: .warning)
    #else
        StandardErrorLogger(level: .warning)
    #endif
}
