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
        Self.write("flagstaff \(level): \(message)")
    }

    /// Writes one line in one piece.
    static func write(_ line: String) {
        // A closed or full standard error is no reason to fail.
        try? FileHandle.standardError.write(contentsOf: Data(singleLine(line).utf8))
    }

    /// The text with its line ends written as `\n`, and one at its end.
    static func singleLine(_ text: String) -> String {
        // Of `\r\n`, which is one character, one line end.
        text.map { $0.isNewline ? "\\n" : String($0) }.joined() + "\n"
    }
}
