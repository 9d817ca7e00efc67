#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The system's calls on sockets of the loopback address, none of which waits.
enum LoopbackSocket {
    /// What a read came to.
    enum Read {
        case bytes([UInt8])
        case nothing
        case ended(Fault.Ending)
    }

    /// A call of the system failed; the text names it.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
    }

    /// A socket that holds a port without listening, so that connections to it are refused and nobody else gets it.
    static func reserve(port: UInt16) throws -> Int32 {
        let descriptor = try make()
        guard withAddress(port, { bind(descriptor, $0, $1) }) == 0 else {
            defer { end(descriptor) }
            throw Failure("bind")
        }
        return descriptor
    }

    /// A socket that listens at the port.
    static func listen(port: UInt16) throws -> Int32 {
        let descriptor = try reserve(port: port)
        #if canImport(Glibc)
            let isListening = Glibc.listen(descriptor, 1024) == 0
        #elseif canImport(Musl)
            let isListening = Musl.listen(descriptor, 1024) == 0
        #else
            let isListening = Darwin.listen(descriptor, 1024) == 0
        #endif
        if !isListening {
            defer { end(descriptor) }
            throw Failure("listen")
        }
        return descriptor
    }

    /// The port that a socket is bound to.
    static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = getsockname(descriptor, pointer, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// The next connection that waits to be accepted.
    static func acceptNext(_ listener: Int32) -> Int32? {
        let descriptor = accept(listener, nil, nil)
        if descriptor < 0 { return nil }
        prepare(descriptor)
        return descriptor
    }

    /// Begins to connect; whether it works shows when the socket can be written to.
    static func beginConnecting(port: UInt16) -> Int32? {
        guard let descriptor = try? make() else { return nil }
        let status = withAddress(port) { connect(descriptor, $0, $1) }
        if status == 0 || errno == EINPROGRESS { return descriptor }
        end(descriptor)
        return nil
    }

    /// Sends what fits; `nil` when the connection is broken.
    static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int? {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
        if count >= 0 { return count }
        return [EAGAIN, EWOULDBLOCK, EINTR, ENOTCONN].contains(errno) ? 0 : nil
    }

    /// Reads what is there.
    static func read(_ descriptor: Int32) -> Read {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { return .bytes(Array(buffer.prefix(count))) }
        if count == 0 { return .ended(.finish) }
        return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? .nothing : .ended(.reset)
    }

    /// Says that nothing more is sent.
    static func finish(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = shutdown(descriptor, Int32(SHUT_WR))
        #else
            _ = shutdown(descriptor, SHUT_WR)
        #endif
    }

    /// Closes, with a reset where the other side is to get an error.
    static func end(_ descriptor: Int32, _ ending: Fault.Ending = .finish) {
        if ending == .reset {
            var value = linger(l_onoff: 1, l_linger: 0)
            _ = setsockopt(
                descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
        }
        _ = close(descriptor)
    }

    /// Two descriptors: ``ring(_:)`` at the second wakes who waits at the first.
    static func makePair() throws -> (Int32, Int32) {
        // No pipe: writing to one whose other end is gone can end the process.
        var pair: [Int32] = [0, 0]
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        guard socketpair(AF_UNIX, type, 0, &pair) == 0 else { throw Failure("socketpair") }
        for descriptor in pair { prepare(descriptor) }
        return (pair[0], pair[1])
    }

    /// Wakes who waits at the other end of a pair.
    static func ring(_ descriptor: Int32) {
        // One that is full has woken it already.
        _ = write(descriptor, [1])
    }

    /// Takes what rings there were.
    static func drain(_ descriptor: Int32) {
        while case .bytes = read(descriptor) {}
    }

    private static func make() throws -> Int32 {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        if descriptor < 0 { throw Failure("socket") }
        prepare(descriptor)
        set(descriptor, SOL_SOCKET, SO_REUSEADDR)
        #if canImport(Darwin)
            // There, this is what lets a listener and the socket that holds its port share the port.
            set(descriptor, SOL_SOCKET, SO_REUSEPORT)
        #endif
        return descriptor
    }

    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        // A child process must not keep connections of the test open.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
        #if canImport(Darwin)
            set(descriptor, SOL_SOCKET, SO_NOSIGPIPE)
        #endif
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
        var value: Int32 = 1
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func withAddress(
        _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                body(pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
