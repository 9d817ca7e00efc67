/// Takes a `text/event-stream` apart (WHATWG HTML, section 9.2): bytes in, events out, wherever the bytes are split.
///
/// LF, CR and CRLF end a line, mixed as they come; one byte-order mark at the start is dropped; bytes that are not
/// UTF-8 become U+FFFD. A `retry` line sets the delay and its event is still delivered. An event that grows past
/// the limit is dropped and reported, and the stream goes on with the next.
package struct SSEParser: Sendable {
    /// What the parser found.
    package enum Output: Hashable, Sendable {
        /// A whole event.
        case event(ServerSentEvent)
        /// The server asks for this delay before reconnecting, in milliseconds.
        case retry(milliseconds: Int)
        /// An event was larger than the limit and has been dropped.
        case oversizedEvent
    }

    private let maximumEventBytes: Int
    private var line: [UInt8] = []
    private var endedWithCR = false
    private var isFirstLine = true
    private var type = ""
    private var data: [UInt8] = []
    private var hasData = false
    /// The line is too long to be kept whole, and is passed over.
    private var isLineCut = false
    /// The event lost a line, and is dropped when it ends.
    private var isOversized = false
    private var pendingID: String?

    /// The id of the last event that has come to its end: what a reconnect sends as `Last-Event-ID`.
    ///
    /// `nil` while the stream has given none, and after an empty one, which takes it back.
    package private(set) var lastEventID: String?

    /// Makes a parser at the start of a stream.
    ///
    /// - Parameters:
    ///   - lastEventID: The id that an earlier connection ended with.
    ///   - maximumEventBytes: How many bytes one event may have. Default 16 MiB.
    package init(lastEventID: String? = nil, maximumEventBytes: Int = 16 << 20) {
        self.lastEventID = lastEventID
        self.pendingID = lastEventID
        self.maximumEventBytes = maximumEventBytes
    }

    /// Takes the next bytes of the stream, split anywhere, and returns what they complete.
    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [Output] {
        if let outputs = bytes.withContiguousStorageIfAvailable({ feed(contiguous: $0) }) { return outputs }
        return Array(bytes).withUnsafeBufferPointer { feed(contiguous: $0) }
    }

    private mutating func feed(contiguous bytes: UnsafeBufferPointer<UInt8>) -> [Output] {
        var outputs: [Output] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        {
            if index > start {
                append(UnsafeBufferPointer(rebasing: bytes[start..<index]))
                endedWithCR = false
            }
            start = index + 1
            if byte == UInt8(ascii: "\n"), endedWithCR {
                endedWithCR = false
            } else {
                endedWithCR = byte == UInt8(ascii: "\r")
                endLine(into: &outputs)
            }
        }
        if start < bytes.count {
            append(UnsafeBufferPointer(rebasing: bytes[start...]))
            endedWithCR = false
        }
        return outputs
    }

    /// Adds to the line what the limit allows; of a comment, which is no part of an event, only the colon.
    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isLineCut { return }
        if line.isEmpty, bytes.first == UInt8(ascii: ":") { line.append(UInt8(ascii: ":")) }
        if line.first == UInt8(ascii: ":") { return }
        if bytes.count > maximumEventBytes - line.count - data.count {
            isLineCut = true
        } else {
            line.append(contentsOf: bytes)
        }
    }

    private mutating func endLine(into outputs: inout [Output]) {
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        if isLineCut {
            isLineCut = false
            isOversized = true
            data = []
        } else if line.isEmpty {
            dispatch(into: &outputs)
        } else if line[0] != UInt8(ascii: ":") {
            takeField(into: &outputs)
        }
        line.removeAll(keepingCapacity: line.capacity <= 1 << 16)
    }

    private mutating func dispatch(into outputs: inout [Output]) {
        // An id counts once its event is whole: else a connection that breaks before would lose the event.
        lastEventID = pendingID
        if isOversized {
            outputs.append(.oversizedEvent)
        } else if hasData {
            let text = String(decoding: data, as: UTF8.self)
            var event = ServerSentEvent(type: type.isEmpty ? "message" : type, data: text, id: lastEventID)
            event.isDamaged = !text.utf8.elementsEqual(data)
            outputs.append(.event(event))
        }
        type = ""
        data.removeAll(keepingCapacity: data.capacity <= 1 << 16)
        hasData = false
        isOversized = false
    }

    private mutating func takeField(into outputs: inout [Output]) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "data" where !isOversized:
            if hasData { data.append(UInt8(ascii: "\n")) }
            data.append(contentsOf: value)
            hasData = true
        case "event":
            type = String(decoding: value, as: UTF8.self)
        case "id" where !value.contains(0):
            pendingID = value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
        case "retry" where !value.isEmpty && value.allSatisfy({ (0x30...0x39).contains($0) }):
            if let milliseconds = Int(String(decoding: value, as: UTF8.self)) {
                outputs.append(.retry(milliseconds: milliseconds))
            }
        default:
            break
        }
    }
}
