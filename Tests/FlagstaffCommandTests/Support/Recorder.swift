import Foundation
import Testing

@testable import FlagstaffCommand

/// Runs command lines and keeps what they write.
///
/// `@unchecked Sendable`: the bytes are read and written under the lock only.
final class Recorder: @unchecked Sendable {
    private let lock = NSLock()
    private var outputBytes: [UInt8] = []
    private var errorBytes: [UInt8] = []

    var console: Console {
        Console(
            writeOutput: { bytes in self.lock.withLock { self.outputBytes += bytes } },
            writeError: { bytes in self.lock.withLock { self.errorBytes += bytes } },
            isTerminal: false)
    }

    /// What went to standard output.
    var output: String { lock.withLock { String(decoding: outputBytes, as: UTF8.self) } }
    /// What went to standard error.
    var error: String { lock.withLock { String(decoding: errorBytes, as: UTF8.self) } }
    /// The lines of standard output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// Runs a command line.
    func run(_ arguments: String...) async -> CommandStatus {
        await CommandLineTool.run(arguments, console: console)
    }
}

/// A folder that goes away with the test.
final class TemporaryFolder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("flagstaff-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Where it is.
    var path: String { url.path }

    /// Writes a file, and gives its path.
    func file(_ name: String, _ content: String) throws -> String {
        let file = url.appendingPathComponent(name)
        try content.write(to: file, atomically: false, encoding: .utf8)
        return file.path
    }
}

/// The path of a fixture.
func fixture(_ name: String) throws -> String {
    try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures/\(name)").path
}
