#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The system's calls on sockets of the loopback address that wait.
enum BlockingSocket {
    struct Broken: Error {}

    /// Connects to a port; `nil` when that is refused.
    static func connect(port: UInt16) -> Int32? {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                systemConnect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if isConnected { return descriptor }
        close(descriptor)
        return nil
    }

    /// Sends all bytes, as far as the other side takes them.
    static func send(_ descriptor: Int32, _ bytes: [UInt8]) {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemSend(descriptor, $0.baseAddress, $0.count, flags) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits for bytes; none at the end of the connection.
    static func receive(_ descriptor: Int32) -> Result<[UInt8], Broken> {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count < 0 ? .failure(Broken()) : .success(Array(buffer.prefix(count)))
    }

    /// Closes a socket.
    static func close(_ descriptor: Int32) {
        _ = systemClose(descriptor)
    }
}

// The enumeration's own names hide the system's.
#if canImport(Glibc)
    private let systemConnect = Glibc.connect
    private let systemSend = Glibc.send
    private let systemClose = Glibc.close
#elseif canImport(Musl)
    private let systemConnect = Musl.connect
    private let systemSend = Musl.send
    private let systemClose = Musl.close
#else
    private let systemConnect = Darwin.connect
    private let systemSend = Darwin.send
    private let systemClose = Darwin.close
#endif
