import Foundation

/// The terminal behind standard output.
enum Terminal {
    /// A table as wide as the terminal, in colors where they are welcome (https://no-color.org).
    static func table(for console: Console) -> FlagTable {
        let refusesColor = ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty == false
        return FlagTable(
            width: console.isTerminal ? width : 100, usesColor: console.isTerminal && !refusesColor)
    }

    /// The width in columns; 100 where it cannot be told.
    private static var width: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 100 }
        return Int(size.ws_col)
    }
}
