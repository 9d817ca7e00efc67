import FlagLocking
import Foundation

/// Where a command writes: standard output and standard error, or what a test puts in their place.
struct Console: Sendable {
    /// Takes bytes for standard output.
    let writeOutput: @Sendable ([UInt8]) -> Void
    /// Takes bytes for standard error.
    let writeError: @Sendable ([UInt8]) -> Void
    /// Whether standard output is a terminal that a person looks at.
    let isTerminal: Bool
    /// Whether bytes for standard output could not be written: nobody reads them any more, or the disk is full.
    var hasFailed: @Sendable () -> Bool = { false }

    private static let outputFailed = Lock(false)

    /// The process's own.
    static let standard = Console(
        writeOutput: { bytes in
            if !write(bytes, to: STDOUT_FILENO) { outputFailed.withLock { $0 = true } }
        },
        writeError: { bytes in _ = write(bytes, to: STDERR_FILENO) },
        isTerminal: isatty(STDOUT_FILENO) == 1,
        hasFailed: { outputFailed.withLock { $0 } })

    /// Writes a line to standard output.
    func print(_ line: String) {
        writeOutput(Array((line + "\n").utf8))
    }

    /// Writes a line to standard error.
    func complain(_ line: String) {
        writeError(Array((line + "\n").utf8))
    }

    /// Writes all bytes, and returns whether that was possible.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Foundation.write(
                    descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }
}
