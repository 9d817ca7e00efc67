import Foundation

/// Where a command writes: standard output and standard error, or what a test puts in their place.
struct Console: Sendable {
    /// Takes bytes for standard output.
    let writeOutput: @Sendable ([UInt8]) -> Void
    /// Takes bytes for standard error.
    let writeError: @Sendable ([UInt8]) -> Void
    /// Whether standard output is a terminal that a person looks at.
    let isTerminal: Bool

    /// The process's own.
    static let standard = Console(
        writeOutput: { write($0, to: STDOUT_FILENO) },
        writeError: { write($0, to: STDERR_FILENO) },
        isTerminal: isatty(STDOUT_FILENO) == 1)

    /// Writes a line to standard output.
    func print(_ line: String) {
        writeOutput(Array((line + "\n").utf8))
    }

    /// Writes a line to standard error.
    func complain(_ line: String) {
        writeError(Array((line + "\n").utf8))
    }

    /// Writes all bytes; when nobody reads them any more there is nobody to tell either.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Foundation.write(
                    descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    return
                }
            }
        }
    }
}
