import FlagLocking

/// Answers over a connection to a ``LoopbackServer``.
///
/// Bodies are sent in chunks, so that an end can be told from a break. All calls block.
final class LoopbackConnection: ConformanceConnection {
    private let socket: LoopbackSocket
    /// Whether the answer in progress has a body at all.
    private let hasBody = Lock(true)

    init(_ socket: LoopbackSocket) {
        self.socket = socket
    }

    func start(_ status: Int, _ headers: [String: String]) {
        let hasBody = status != 204 && status != 304
        self.hasBody.withLock { $0 = hasBody }
        var head = "HTTP/1.1 \(status) Status\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if hasBody { head += "Transfer-Encoding: chunked\r\n" }
        socket.send(Array((head + "\r\n").utf8))
    }

    func send(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, hasBody.withLock({ $0 }) else { return }
        socket.send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
    }

    func end() {
        if hasBody.withLock({ $0 }) { socket.send(Array("0\r\n\r\n".utf8)) }
    }

    func cut() {
        socket.hangUp()
    }

    func waitForEnd() {
        socket.waitForEnd()
    }
}
