/// Takes apart what a service sends in answer to one request after the other.
struct ResponseScanner: Sendable {
    /// A part of an answer.
    enum Part: Hashable, Sendable {
        /// The head, with its blank line, as it was.
        case head([UInt8], isChunked: Bool)
        /// Content, without the frames of chunks.
        case content([UInt8])
        /// The answer is complete.
        case end
    }

    private enum State: Sendable {
        case head
        /// So many bytes of content are to come; `nil` for all until the connection ends.
        case content(Int?)
        case chunkSize
        case chunk(Int)
        /// The line end after a chunk.
        case chunkEnd
        /// The lines after the last chunk.
        case trailers
    }

    private var state = State.head
    private var buffer: [UInt8] = []

    /// Whether an answer has begun and is not complete.
    private(set) var isInside = false

    /// Takes bytes and returns the parts that they complete; content is handed on as it comes.
    mutating func feed(_ bytes: [UInt8]) -> [Part] {
        buffer += bytes
        var parts: [Part] = []
        while step(&parts) {}
        return parts
    }

    /// The connection ended: what that completes.
    mutating func finish() -> [Part] {
        if case .content(nil) = state { return [end()] }
        // The head of an answer that never was complete is handed on as it is.
        defer { buffer = [] }
        return buffer.isEmpty ? [] : [.head(buffer, isChunked: false)]
    }

    /// Does one step; `false` when more bytes are needed for the next.
    private mutating func step(_ parts: inout [Part]) -> Bool {
        switch state {
        case .head:
            guard let end = MessageHead.end(in: buffer) else { return false }
            begin(MessageHead(buffer[..<end]), take(end), &parts)
            return true
        case .content(let remaining):
            if remaining == 0 {
                parts.append(end())
                return true
            }
            if buffer.isEmpty { return false }
            let bytes = take(min(remaining ?? buffer.count, buffer.count))
            parts.append(.content(bytes))
            state = .content(remaining.map { $0 - bytes.count })
            return true
        case .chunkSize:
            guard let line = takeLine() else { return false }
            let size = Int(line.prefix { $0 != ";" }, radix: 16) ?? 0
            state = size > 0 ? .chunk(size) : .trailers
            return true
        case .chunk(let remaining):
            if buffer.isEmpty { return false }
            let bytes = take(min(remaining, buffer.count))
            parts.append(.content(bytes))
            state = remaining == bytes.count ? .chunkEnd : .chunk(remaining - bytes.count)
            return true
        case .chunkEnd:
            guard takeLine() != nil else { return false }
            state = .chunkSize
            return true
        case .trailers:
            guard let line = takeLine() else { return false }
            if line.isEmpty { parts.append(end()) }
            return true
        }
    }

    private mutating func begin(_ head: MessageHead, _ bytes: [UInt8], _ parts: inout [Part]) {
        isInside = true
        let status = head.firstLine.dropFirst().first.flatMap { Int($0) } ?? 0
        parts.append(.head(bytes, isChunked: head.isChunked))
        // Another head follows an interim one.
        if (100..<200).contains(status) { return }
        if status == 204 || status == 304 {
            state = .content(0)
        } else if head.isChunked {
            state = .chunkSize
        } else {
            state = .content(head.contentLength)
        }
    }

    private mutating func end() -> Part {
        state = .head
        isInside = false
        return .end
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    private mutating func takeLine() -> String? {
        guard let end = buffer.firstIndex(of: 10) else { return nil }
        let line = take(end + 1).filter { $0 != 13 && $0 != 10 }
        return String(decoding: line, as: UTF8.self)
    }
}
