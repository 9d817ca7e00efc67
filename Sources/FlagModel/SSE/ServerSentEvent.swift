/// One event of a `text/event-stream` (WHATWG HTML, section 9.2).
package struct ServerSentEvent: Hashable, Sendable {
    /// The event's type; `message` where the stream names none.
    package var type: String
    /// The event's data; lines are separated by LF.
    package var data: String
    /// The id in force when the event arrived, or `nil` while the stream has given none.
    package var id: String?
    /// Whether the data was no UTF-8 as it arrived, so that parts of it are replaced by U+FFFD.
    ///
    /// The format asks to read on. What must be exact, such as values, is not to be taken from such data.
    package var isDamaged = false

    /// Makes an event.
    package init(type: String = "message", data: String, id: String? = nil) {
        self.type = type
        self.data = data
        self.id = id
    }
}

extension ServerSentEvent {
    /// The event as the bytes of a stream.
    ///
    /// Line ends in the data become separate `data:` lines, so any text survives (CR and CRLF arrive as LF). Line
    /// ends and NUL in the type and the id, which the format cannot carry, are left out.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.utf8.count + 64)
        if type != "message" { Self.append("event: ", Self.singleLine(type), to: &bytes) }
        if let id { Self.append("id: ", Self.singleLine(id), to: &bytes) }
        var line: [UInt8] = []
        var former: UInt8 = 0
        for byte in data.utf8 {
            switch byte {
            case UInt8(ascii: "\n") where former == UInt8(ascii: "\r"): break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                Self.append("data: ", line, to: &bytes)
                line.removeAll(keepingCapacity: true)
            default: line.append(byte)
            }
            former = byte
        }
        Self.append("data: ", line, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// A comment line: keeps a connection alive and is no event.
    ///
    /// Line ends in the text are left out.
    package static func comment(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        append(": ", singleLine(text), to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// A `retry:` line: how long a client waits before it connects again, in milliseconds.
    package static func retry(milliseconds: Int) -> [UInt8] {
        Array("retry: \(max(0, milliseconds))\n\n".utf8)
    }

    private static func append(_ name: StaticString, _ value: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(contentsOf: value)
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func singleLine(_ text: String) -> [UInt8] {
        text.utf8.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
    }
}
