/// Why a text is not acceptable JSON, and where.
public struct JSONError: Error, Hashable, Sendable {
    /// What is wrong, in words.
    public var message: String
    /// The line of the fault, from 1.
    public var line: Int
    /// The column of the fault in characters (Unicode scalars), from 1.
    public var column: Int
    /// How many bytes precede the fault.
    public var offset: Int

    /// Makes an error at a place.
    ///
    /// - Parameters:
    ///   - message: What is wrong, in words.
    ///   - line: The line, from 1.
    ///   - column: The column in Unicode scalars, from 1.
    ///   - offset: How many bytes precede the fault.
    public init(message: String, line: Int, column: Int, offset: Int) {
        self.message = message
        self.line = line
        self.column = column
        self.offset = offset
    }
}

extension JSONError: CustomStringConvertible {
    /// The place and the message: `line 3, column 7: expected ':' after a name`.
    public var description: String { "line \(line), column \(column): \(message)" }
}

extension JSONError {
    /// Counts lines and columns up to an offset; a byte-order mark takes no column.
    init(_ message: String, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        var line = 1
        var column = 1
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        for byte in bytes[start..<max(start, min(offset, bytes.count))] {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.init(message: message, line: line, column: column, offset: offset)
    }
}
