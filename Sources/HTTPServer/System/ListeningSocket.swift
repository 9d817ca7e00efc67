import CMicroHTTPD

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

// Hidden by the method of the same name.
private func closeDescriptor(_ descriptor: Int32) {
    _ = close(descriptor)
}

/// A TCP socket that accepts connections.
struct ListeningSocket {
    let descriptor: Int32
    let port: UInt16
    private let identity: UInt64?

    /// Opens, binds and listens.
    ///
    /// - Throws: ``HTTPServerError`` that says which address and what to do.
    init(host: String, port: UInt16) throws {
        var hints = addrinfo()
        // Asking a name server could block for many seconds, and the answer could be any machine's address.
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV | AI_NUMERICHOST
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = flagstaff_socket_stream
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host == "localhost" ? "127.0.0.1" : host, String(port), &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0, let info = list?.pointee else {
            throw HTTPServerError(
                .invalidAddress,
                "Cannot listen on \"\(host)\": this is no numeric address. Use one, such as 127.0.0.1, 0.0.0.0 or ::."
            )
        }
        let place = info.ai_family == AF_INET6 ? "[\(host)]:\(port)" : "\(host):\(port)"
        let descriptor = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
        guard descriptor >= 0 else { throw Self.error("open a socket for", place) }
        do {
            try Self.prepare(descriptor, info: info, place: place)
            self.descriptor = descriptor
            identity = Self.identity(descriptor)
            self.port = try Self.boundPort(descriptor, place: place)
        } catch {
            closeDescriptor(descriptor)
            throw error
        }
    }

    /// Closes the socket unless someone has done so already: a library that failed to start with it.
    ///
    /// Its number may stand for another socket by then, which must stay open.
    func close() {
        if Self.identity(descriptor) == identity {
            closeDescriptor(descriptor)
        }
    }

    // Unique among the sockets of the system that are open.
    private static func identity(_ descriptor: Int32) -> UInt64? {
        var information = stat()
        return fstat(descriptor, &information) == 0 ? UInt64(information.st_ino) : nil
    }

    private static func prepare(_ descriptor: Int32, info: addrinfo, place: String) throws {
        // Children of this process must not keep the port.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // The library accepts until there is nothing more, without blocking.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        var yes: Int32 = 1
        // A restart on the same port need not wait for old connections' last packets.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        if info.ai_family == AF_INET6 {
            // So that "::" takes IPv4 too, whatever the system's default is.
            var no: Int32 = 0
            setsockopt(
                descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, socklen_t(MemoryLayout<Int32>.size))
        }
        guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0 else { throw error("listen on", place) }
        guard listen(descriptor, SOMAXCONN) == 0 else { throw error("listen on", place) }
    }

    private static func boundPort(_ descriptor: Int32, place: String) throws -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard status == 0 else { throw error("find the port of", place) }
        return withUnsafeBytes(of: &storage) { bytes in
            // The port is at the same place in both kinds of address.
            UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
    }

    private static func error(_ action: String, _ place: String) -> HTTPServerError {
        let number = errno
        let reason = String(cString: strerror(number))
        switch number {
        case EADDRINUSE:
            return HTTPServerError(
                .addressInUse,
                "Cannot \(action) \(place): another program uses this port. Choose another one.")
        case EACCES, EPERM:
            return HTTPServerError(
                .permissionDenied,
                "Cannot \(action) \(place): \(reason). Ports below 1024 need special rights; choose a higher one."
            )
        case EADDRNOTAVAIL:
            return HTTPServerError(
                .invalidAddress, "Cannot \(action) \(place): this machine does not have that address.")
        default:
            return HTTPServerError(.system, "Cannot \(action) \(place): \(reason).")
        }
    }
}
