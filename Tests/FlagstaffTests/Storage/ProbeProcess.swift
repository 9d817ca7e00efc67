import Foundation

/// A process of the executable ClientProbe, and what it says.
final class ProbeProcess {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var rest: [UInt8] = []

    /// Starts it.
    init(_ arguments: String...) throws {
        process.executableURL = Self.executable
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = input
        try process.run()
    }

    deinit {
        if process.isRunning { kill() }
    }

    /// The next line, or `nil` at the end.
    ///
    /// A line that was cut short is none.
    func line() -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeFirst(end + 1) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { return nil }
            rest += data
        }
    }

    /// The lines to the end.
    func lines() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        return lines
    }

    /// Ends the process at once, wherever it is.
    func kill() {
        _ = Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Ends its input, and waits for it to end.
    func finish() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// It lies beside the tests.
    private static var executable: URL {
        #if canImport(Darwin)
            let tests = Bundle(for: ProbeProcess.self).bundleURL
        #else
            let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        #endif
        return tests.deletingLastPathComponent().appendingPathComponent("ClientProbe")
    }
}
