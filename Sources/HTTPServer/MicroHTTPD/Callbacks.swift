import CMicroHTTPD

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

// The functions that the library calls on its worker threads. `context` is the server's core, unretained; a
// connection object is retained by the library's connection from its opening to its closing.

private func core(_ context: UnsafeMutableRawPointer) -> ServerCore {
    Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
}

/// A connection is opened or about to be closed.
func microHTTPDConnectionChanged(
    context: UnsafeMutableRawPointer?, pointer: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, event: MHD_ConnectionNotificationCode
) {
    guard let context, let pointer, let slot else { return }
    if event == flagstaff_mhd_connection_started {
        let connection = core(context).open(socket: ConnectionHandle(pointer: pointer).socket)
        slot.pointee = Unmanaged.passRetained(connection).toOpaque()
    } else if let raw = slot.pointee {
        slot.pointee = nil
        core(context).close(Unmanaged<HTTPConnection>.fromOpaque(raw).takeRetainedValue())
    }
}

/// A request line has arrived; what is returned comes back as the request's `slot`.
func microHTTPDRequestLine(
    context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, pointer: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let pointer, let connection = ConnectionHandle(pointer: pointer).context else { return nil }
    connection.requestLineReceived(target)
    return Unmanaged.passUnretained(connection).toOpaque()
}

/// The head of a request is complete, a piece of its body has arrived, or all of it has.
func microHTTPDRequest(
    context: UnsafeMutableRawPointer?, pointer: OpaquePointer?, url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, data: UnsafePointer<CChar>?,
    size: UnsafeMutablePointer<Int>?, slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let pointer, let size, let raw = slot?.pointee else { return flagstaff_mhd_no }
    let connection = Unmanaged<HTTPConnection>.fromOpaque(raw).takeUnretainedValue()
    let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size.pointee)
    // All of it is taken, always.
    size.pointee = 0
    let isOldVersion = version.map { strcmp($0, "HTTP/1.0") == 0 } ?? true
    let keep = connection.receive(
        ConnectionHandle(pointer: pointer), method: method, isOldVersion: isOldVersion, bytes: bytes)
    return keep ? flagstaff_mhd_yes : flagstaff_mhd_no
}

/// A request is over; its connection may go on.
func microHTTPDRequestCompleted(
    context: UnsafeMutableRawPointer?, pointer: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
    guard let raw = slot?.pointee else { return }
    slot?.pointee = nil
    let reason: HTTPStream.CloseReason =
        switch code {
        case flagstaff_mhd_completed: .finished
        case flagstaff_mhd_timed_out: .slowReader
        case flagstaff_mhd_shut_down: .serverShutdown
        default: .clientGone
        }
    Unmanaged<HTTPConnection>.fromOpaque(raw).takeUnretainedValue().requestCompleted(reason)
}

/// Leaves targets as they are: the server decodes them itself, segment by segment.
func microHTTPDUnescape(
    context: UnsafeMutableRawPointer?, pointer: OpaquePointer?, text: UnsafeMutablePointer<CChar>?
) -> Int {
    text.map { strlen($0) } ?? 0
}

/// The library has something to say.
func microHTTPDLog(
    context: UnsafeMutableRawPointer?, format: UnsafePointer<CChar>?, arguments: CVaListPointer?
) {
    guard let context, let format, let arguments, !isClientsAffair(format) else { return }
    var text = [CChar](repeating: 0, count: 512)
    vsnprintf(&text, text.count, format, arguments)
    let message = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? ""
    var trimmed = Substring(message)
    while trimmed.last?.isWhitespace == true {
        trimmed.removeLast()
    }
    core(context).logFromLibrary(String(trimmed))
}

/// Whether a message is about one client's misbehaviour or departure: such messages would fill any log.
private func isClientsAffair(_ format: UnsafePointer<CChar>) -> Bool {
    let beginnings: [StaticString] = [
        "Closing connection (application", "Application reported internal error", "Error processing request",
        "Failed to send", "Socket has been disconnected", "Connection socket is closed",
        "Connection was closed", "Too late to send", "Failed to parse", "Too large value", "Received HTTP",
        "Error: received handshake", "Not enough memory in pool",
    ]
    return beginnings.contains { strncmp(format, $0.utf8Start, $0.utf8CodeUnitCount) == 0 }
}
