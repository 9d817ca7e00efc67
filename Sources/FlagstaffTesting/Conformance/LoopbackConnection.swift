import CLoopback
import FlagLocking
import Foundation

/// One connection to a ``LoopbackServer``.
///
/// Bodies are sent in chunks, so that an end can be told from a break. All calls block.
final class LoopbackConnection: ConformanceConnection {
    private struct State: Sendable {
        var isReleased = false
        /// What was read beyond a request.
        var rest: [UInt8] = []
        /// Whether the answer in progress has a body at all.
        var hasBody = true
    }

    private let descriptor: Int32
    private let state = Lock(State())

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    func start(_ status: Int, _ headers: [String: String]) {
        let hasBody = status != 204 && status != 304
        state.withLock { $0.hasBody = hasBody }
        var head = "HTTP/1.1 \(status) Status\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if hasBody { head += "Transfer-Encoding: chunked\r\n" }
        write(Array((head + "\r\n").utf8))
    }

    func send(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, state.withLock({ $0.hasBody }) else { return }
        write(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
    }

    func end() {
        if state.withLock({ $0.hasBody }) { write(Array("0\r\n\r\n".utf8)) }
    }

    func cut() {
        hangUp()
    }

    func waitForEnd() {
        while let bytes = read(), !bytes.isEmpty {}
    }

    /// Ends the connection; whoever waits on it wakes.
    func hangUp() {
        state.withLock { state in
            // A number that was given back can be someone else's by now.
            if !state.isReleased { flag_loopback_hang_up(descriptor) }
        }
    }

    /// Gives the socket back.
    func release() {
        state.withLock { state in
            if !state.isReleased { flag_loopback_close(descriptor) }
            state.isReleased = true
        }
    }

    // MARK: Reading

    /// Reads a request; `nil` when the connection is over.
    func readRequest() -> ConformanceRequest? {
        var bytes = state.withLock { $0.rest }
        var bodyStart: Int?
        while bodyStart == nil {
            bodyStart = Self.endOfHead(bytes)
            if bodyStart == nil {
                guard let more = read(), !more.isEmpty else { return nil }
                bytes += more
            }
        }
        guard let bodyStart else { return nil }
        let lines = String(decoding: bytes[..<bodyStart], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count >= 2 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                in: .whitespaces)
        }
        if headers["expect"]?.lowercased() == "100-continue" {
            write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        let end = bodyStart + (Int(headers["content-length"] ?? "") ?? 0)
        while bytes.count < end {
            guard let more = read(), !more.isEmpty else { return nil }
            bytes += more
        }
        let rest = Array(bytes[end...])
        state.withLock { $0.rest = rest }
        return ConformanceRequest(
            method: String(words[0]), target: String(words[1]), headers: headers,
            body: Array(bytes[bodyStart..<end]))
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let blank = Array("\r\n\r\n".utf8)
        guard bytes.count >= 4 else { return nil }
        return (0...bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == blank }.map { $0 + 4 }
    }

    private func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = flag_loopback_read(descriptor, &bytes, Int64(bytes.count))
        return count < 0 ? nil : Array(bytes.prefix(Int(count)))
    }

    private func write(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { part in
                part.baseAddress.map { flag_loopback_write(descriptor, $0, Int64(part.count)) } ?? 0
            }
            if count <= 0 { return }
            sent += Int(count)
        }
    }
}
