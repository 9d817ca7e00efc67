import CMicroHTTPD

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The library's connection during one of its callbacks, on the connection's thread.
struct ConnectionHandle {
    let pointer: OpaquePointer

    var socket: Int32 { flagstaff_mhd_socket(pointer) }

    /// Bytes of the request's head.
    var headSize: Int { flagstaff_mhd_head_size(pointer) }

    /// The connection object made when the connection was opened.
    var context: HTTPConnection? {
        flagstaff_mhd_socket_context(pointer).map {
            Unmanaged<HTTPConnection>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// The first value of a header field; an invalid byte sequence in it is repaired.
    func header(_ name: String) -> String? {
        var name = name
        return name.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                var value: UnsafePointer<CChar>?
                var count = 0
                let found = MHD_lookup_connection_value_n(
                    pointer, flagstaff_mhd_header_kind, characters.baseAddress, characters.count, &value,
                    &count)
                guard found == flagstaff_mhd_yes else { return nil }
                return Self.string(value, count)
            }
        }
    }

    /// All header fields in the order in which they arrived.
    var headers: [HTTPHeader] {
        var headers: [HTTPHeader] = []
        withUnsafeMutablePointer(to: &headers) { list in
            _ = MHD_get_connection_values_n(
                pointer, flagstaff_mhd_header_kind,
                { context, _, name, nameCount, value, valueCount in
                    context?.assumingMemoryBound(to: [HTTPHeader].self).pointee.append(
                        HTTPHeader(
                            ConnectionHandle.string(name, nameCount),
                            ConnectionHandle.string(value, valueCount)))
                    return flagstaff_mhd_yes
                }, list)
        }
        return headers
    }

    /// The peer's numeric address, without port.
    ///
    /// An IPv4 address that arrived over IPv6 shows as IPv4.
    var remoteAddress: String {
        guard let address = flagstaff_mhd_client_address(pointer) else { return "" }
        let raw = UnsafeRawPointer(address)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            var bytes = raw.load(as: sockaddr_in.self).sin_addr
            inet_ntop(AF_INET, &bytes, &text, socklen_t(text.count))
        case AF_INET6:
            var bytes = raw.load(as: sockaddr_in6.self).sin6_addr
            inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
        default:
            break
        }
        let string = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? ""
        let mapped = "::ffff:"
        return string.hasPrefix(mapped) && string.contains(".")
            ? String(string.dropFirst(mapped.count)) : string
    }

    /// Sends the response, or fails when the library refuses it.
    func queue(_ status: HTTPStatus, _ response: OpaquePointer) -> Bool {
        MHD_queue_response(pointer, UInt32(clamping: status.rawValue), response) == flagstaff_mhd_yes
    }

    private static func string(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        guard let start else { return "" }
        return start.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
    }
}
