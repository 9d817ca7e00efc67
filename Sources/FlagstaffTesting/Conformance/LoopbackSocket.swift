import CLoopback
import FlagLocking
import Foundation

/// One connection that a ``LoopbackListener`` accepted: raw bytes in both directions.
///
/// All calls block.
package final class LoopbackSocket: Sendable {
    private struct State: Sendable {
        var isReleased = false
        /// What was read beyond a request.
        var rest: [UInt8] = []
    }

    private let descriptor: Int32
    private let state = Lock(State())

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Sends bytes as they are.
    ///
    /// - Parameter bytes: What to send.
    /// - Returns: `false` when the other side is gone.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { part in
                part.baseAddress.map { flag_loopback_write(descriptor, $0, Int64(part.count)) } ?? 0
            }
            if count <= 0 { return false }
            sent += Int(count)
        }
        return true
    }

    /// Waits until the other side hangs up, or the listener stops.
    package func waitForEnd() {
        while let bytes = read(), !bytes.isEmpty {}
    }

    /// Ends the connection; whoever waits on it wakes.
    package func hangUp() {
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

    /// Reads a request.
    ///
    /// - Returns: The request, or `nil` when the connection is over.
    package func readRequest() -> ConformanceRequest? {
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
            send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
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
}
