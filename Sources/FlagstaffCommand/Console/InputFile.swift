import Foundation

/// A file that is read from beginning to end, or standard input under the name `-`.
struct InputFile: ~Copyable {
    /// Why a file cannot be read.
    struct Failure: Error, Hashable, Sendable {
        /// What is wrong, with the file's name.
        let message: String
    }

    private let name: String
    private let descriptor: Int32
    private let closes: Bool

    /// Opens a file.
    ///
    /// - Parameter path: Its path, or `-`.
    /// - Throws: ``Failure`` when it is not there, is a folder, or may not be read.
    init(_ path: String) throws(Failure) {
        if path == "-" {
            name = "standard input"
            descriptor = STDIN_FILENO
            closes = false
            return
        }
        name = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        closes = true
        if descriptor < 0 { throw Self.failure(path) }
    }

    deinit {
        if closes, descriptor >= 0 { close(descriptor) }
    }

    /// Reads what is there, up to 64 KiB; nothing at the end.
    ///
    /// - Returns: The bytes.
    /// - Throws: ``Failure`` when reading fails.
    borrowing func readChunk() throws(Failure) -> [UInt8] {
        let capacity = 65536
        while true {
            var chunk = [UInt8](repeating: 0, count: capacity)
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, capacity) }
            if count >= 0 {
                chunk.removeLast(capacity - count)
                return chunk
            }
            if errno != EINTR { throw Self.failure(name) }
        }
    }

    /// Reads a whole file.
    ///
    /// - Parameter path: Its path, or `-`.
    /// - Returns: All its bytes.
    /// - Throws: ``Failure`` when it cannot be read.
    static func contents(of path: String) throws(Failure) -> [UInt8] {
        let file = try InputFile(path)
        var contents: [UInt8] = []
        while true {
            let chunk = try file.readChunk()
            if chunk.isEmpty { return contents }
            contents += chunk
        }
    }

    private static func failure(_ name: String) -> Failure {
        let code = errno
        let reason = code == EISDIR ? "it is a folder" : String(cString: strerror(code)).lowercased()
        return Failure(message: "cannot read \(name): \(reason)")
    }
}
