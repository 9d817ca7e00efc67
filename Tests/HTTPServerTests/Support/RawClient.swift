#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

// The class's own methods hide these names.
private let closeDescriptor = close
private let sendBytes = send

/// An HTTP client that shows every byte: it sends what it is given, and blocks until what it wants has come.
///
/// No call blocks for more than thirty seconds.
final class RawClient {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private var descriptor: Int32
    private var received: [UInt8] = []
    private var position = 0

    /// Connects to a port of this machine.
    ///
    /// - Parameters:
    ///   - port: the port.
    ///   - receiveBuffer: the size of the socket's buffer, for clients that read slowly.
    /// - Throws: A ``Failure`` that says which call failed.
    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw Self.failure("socket") }
        var timeout = timeval(tv_sec: 30, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            // `deinit` runs for an object that throws here, and closes the socket.
            throw Self.failure("connect")
        }
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit {
        close()
    }

    /// Closes the connection.
    func close() {
        guard descriptor >= 0 else { return }
        _ = closeDescriptor(descriptor)
        descriptor = -1
    }

    /// Closes the connection by a reset.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Says that nothing more will be sent.
    func finishSending() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Sends all of the text.
    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Sends all of the bytes.
    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                sendBytes(descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent, 0)
            }
            guard count > 0 else { throw Self.failure("send") }
            sent += count
        }
    }

    /// The next byte, or nil when the server has closed its side.
    func readByte() throws -> UInt8? {
        if position == received.count {
            guard try receive() else { return nil }
        }
        defer { position += 1 }
        return received[position]
    }

    /// As many bytes as asked for.
    func read(_ count: Int) throws -> [UInt8] {
        while received.count - position < count {
            guard try receive() else { throw Failure(description: "closed by the server") }
        }
        defer { position += count }
        return Array(received[position..<position + count])
    }

    /// A line without its end.
    func readLine() throws -> String {
        var line: [UInt8] = []
        while let byte = try readByte() {
            if byte == UInt8(ascii: "\n") {
                return String(decoding: line.dropLast(), as: UTF8.self)
            }
            line.append(byte)
        }
        throw Failure(description: "closed by the server after \"\(String(decoding: line, as: UTF8.self))\"")
    }

    /// Everything up to the end of the connection.
    func readToEnd() throws -> [UInt8] {
        while try receive() {}
        defer { position = received.count }
        return Array(received[position...])
    }

    private func receive() throws -> Bool {
        if position == received.count {
            received = []
            position = 0
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw Self.failure("receive") }
        received.append(contentsOf: buffer[..<count])
        return count > 0
    }

    private static func failure(_ action: String) -> Failure {
        Failure(description: "\(action): \(String(cString: strerror(errno)))")
    }
}
