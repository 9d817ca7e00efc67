private import Foundation

/// Writes messages to standard error, one line each: `flagstaff warning: …`.
public struct StandardErrorLogger: FlagLogger {
    /// The least level that is written.
    public var level: FlagLogLevel

    /// Makes the logger.
    ///
    /// - Parameter level: The least level to write. Default ``FlagLogLevel/warning``.
    public init(level: FlagLogLevel = .warning) {
        self.level = level
    }

    /// Writes the message, if its level is high enough, in one piece.
    public func log(_ level: FlagLogLevel, _ message: String) {
        guard level >= self.level else { return }
        // A closed or full standard error is no reason to fail.
        try? FileHandle.standardError.write(contentsOf: Data("flagstaff \(level): \(message)\n".utf8))
    }
}
