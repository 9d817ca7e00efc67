/// Cuts a stream of bytes into lines.
struct LineSplitter {
    private var pending: [UInt8] = []

    /// Adds bytes.
    ///
    /// - Parameter bytes: The next bytes of the stream.
    /// - Returns: The lines that are complete now, without their ends.
    mutating func add(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            pending += rest[..<end]
            lines.append(Self.withoutReturn(pending))
            pending.removeAll(keepingCapacity: true)
            rest = rest[(end + 1)...]
        }
        pending += rest
        return lines
    }

    /// Ends the stream.
    ///
    /// - Returns: The last line if it has no end, else `nil`.
    mutating func finish() -> [UInt8]? {
        defer { pending = [] }
        return pending.isEmpty ? nil : Self.withoutReturn(pending)
    }

    private static func withoutReturn(_ line: [UInt8]) -> [UInt8] {
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}
