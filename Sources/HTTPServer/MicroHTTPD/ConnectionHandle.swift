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

    /// What decides about the request's body.
    func head(isOldVersion: Bool) -> RequestHead {
        var head = RequestHead()
        head.size = flagstaff_mhd_head_size(pointer)
        head.hostCount = 0
        head.isOldVersion = isOldVersion
        withUnsafeMutablePointer(to: &head) { head in
            _ = MHD_get_connection_values_n(
                pointer, flagstaff_mhd_header_kind,
                { context, _, name, nameCount, value, valueCount in
                    guard let head = context?.assumingMemoryBound(to: RequestHead.self), let name else {
                        return flagstaff_mhd_yes
                    }
                    if nameCount > 0, [0x20, 0x09].contains(name[nameCount - 1]) {
                        head.pointee.hasMalformedName = true
                    }
                    // Most fields are told apart by their length.
                    switch nameCount {
                    case 4 where strncasecmp(name, "Host", 4) == 0:
                        head.pointee.hostCount += 1
                    case 14 where strncasecmp(name, "Content-Length", 14) == 0:
                        head.pointee.contentLengths.append(ConnectionHandle.string(value, valueCount))
                    case 17 where strncasecmp(name, "Transfer-Encoding", 17) == 0:
                        head.pointee.transferEncodings.append(ConnectionHandle.string(value, valueCount))
                    default:
                        break
                    }
                    return flagstaff_mhd_yes
                }, head)
        }
        return head
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

    // The library leaves spaces after a value in place; they are no part of it (RFC 9110 §5.5).
    private static func string(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        guard let start else { return "" }
        var count = count
        while count > 0, start[count - 1] == 0x20 || start[count - 1] == 0x09 {
            count -= 1
        }
        return start.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
    }
}
