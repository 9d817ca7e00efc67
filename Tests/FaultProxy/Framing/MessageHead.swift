/// The first line and the header fields of an HTTP message.
struct MessageHead: Hashable, Sendable {
    /// The parts of the first line.
    var firstLine: [String]
    /// The headers; names are in lower case, and of several the last counts.
    var headers: [String: String] = [:]

    /// Reads a head up to its blank line.
    init(_ bytes: some Sequence<UInt8>) {
        let lines = String(decoding: Array(bytes), as: UTF8.self).split(whereSeparator: \.isNewline)
        firstLine = lines.first?.split(separator: " ", maxSplits: 2).map(String.init) ?? []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers[line[..<colon].lowercased()] = String(value)
        }
    }

    /// How long the body is, where the head says so.
    var contentLength: Int? { headers["content-length"].flatMap { Int($0) } }

    /// Whether the body comes in chunks.
    var isChunked: Bool { headers["transfer-encoding"]?.lowercased().contains("chunked") ?? false }

    /// Where the head in these bytes ends: after its blank line.
    static func end(in bytes: [UInt8], from start: Int = 0) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in max(start, 3)..<bytes.count
        where bytes[index] == 10 && bytes[index - 1] == 13 && bytes[index - 2] == 10 && bytes[index - 3] == 13
        {
            return index + 1
        }
        return nil
    }
}
