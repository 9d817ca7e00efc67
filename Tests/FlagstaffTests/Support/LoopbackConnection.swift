import FlagLocking
import Foundation

@testable import Flagstaff

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One connection to a ``LoopbackServer``: raw bytes in both directions.
///
/// All calls block.
final class LoopbackConnection: Sendable {
    private let descriptor: Int32
    private let isClosed = Lock(false)
    private let buffer = Lock<[UInt8]>([])

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Sends bytes as they are; `false` when the other side is gone.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { part in
                #if canImport(Darwin)
                    Darwin.send(descriptor, part.baseAddress, part.count, 0)
                #elseif canImport(Musl)
                    Musl.send(descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
                #else
                    Glibc.send(descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
                #endif
            }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    /// Sends text as it is.
    @discardableResult
    func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    /// Sends a whole answer with its length.
    func answer(_ status: Int, _ headers: [String: String] = [:], _ body: String = "") {
        var head = "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.utf8.count)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        send(head + "\r\n" + body)
    }

    /// Sends the head of an event stream.
    func startStream() {
        send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n\r\n")
    }

    /// Waits until the other side hangs up, or the server stops.
    func waitForEnd() {
        while let bytes = receive(), !bytes.isEmpty {}
    }

    /// Hangs up.
    func close() {
        isClosed.withLock { isClosed in
            if !isClosed { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Gives the descriptor back; nothing may be called afterwards.
    func release() {
        isClosed.withLock { isClosed in
            if !isClosed { _ = systemClose(descriptor) }
            isClosed = true
        }
    }

    /// Reads one request; `nil` when the connection is over.
    func readRequest() -> LoopbackServer.Request? {
        var bytes = buffer.withLock { $0 }
        let blank = Array("\r\n\r\n".utf8)
        while true {
            if let end = bytes.firstRange(of: blank) {
                let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(
                    separatedBy: "\r\n")
                let parts = lines[0].split(separator: " ")
                var headers: [String: String] = [:]
                for line in lines.dropFirst() {
                    guard let colon = line.firstIndex(of: ":") else { continue }
                    let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                    headers[line[..<colon].lowercased()] = value
                }
                let length = Int(headers["content-length"] ?? "") ?? 0
                while bytes.count < end.upperBound + length {
                    guard let more = receive(), !more.isEmpty else { return nil }
                    bytes += more
                }
                let body = Array(bytes[end.upperBound..<end.upperBound + length])
                let rest = Array(bytes[(end.upperBound + length)...])
                buffer.withLock { $0 = rest }
                return LoopbackServer.Request(
                    method: String(parts.first ?? ""), target: parts.count > 1 ? String(parts[1]) : "",
                    headers: headers, body: body)
            }
            guard let more = receive(), !more.isEmpty else { return nil }
            bytes += more
        }
    }

    private func receive() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }
}
