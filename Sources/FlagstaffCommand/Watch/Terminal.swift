import Foundation

/// Standard output: whether it is a terminal, and how wide.
enum Terminal {
    /// Whether a person sees standard output.
    static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The width in columns; 100 where it cannot be told.
    static var width: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 100 }
        return Int(size.ws_col)
    }

    /// Whether colors are welcome (https://no-color.org).
    static var usesColor: Bool {
        isInteractive && ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty ?? true
    }

    /// A table as wide as the terminal.
    static var table: FlagTable { FlagTable(width: width, usesColor: usesColor) }

    /// Writes a text at once.
    ///
    /// A reader that is gone ends the program, as it does for other commands.
    static func write(_ text: String) {
        if text.isEmpty { return }
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            exit(0)
        }
    }
}
