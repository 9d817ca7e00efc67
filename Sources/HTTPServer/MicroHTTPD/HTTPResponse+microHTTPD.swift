import CMicroHTTPD

extension HTTPResponse {
    // The library's own buffer serves HTTP/1.0 clients only; for the others it asks for bytes straight into the
    // connection's memory.
    private static let streamBlockSize = 128

    /// The response as the library's object.
    ///
    /// - Parameters:
    ///   - isBodyless: whether the library will leave out the body: `HEAD`, or a status without one.
    ///   - closing: whether to announce that the connection will be closed.
    ///   - log: receives what is wrong with a header field.
    /// - Returns: the object, to be destroyed after queueing; nil when memory is exhausted, or when the body
    ///   cannot be sent with this status.
    func makeLibraryResponse(
        isBodyless: Bool, closing: Bool, log: (String) -> Void
    ) -> OpaquePointer? {
        guard let response = makeWithoutHeaders(isBodyless: isBodyless) else { return nil }
        for header in headers {
            let added = header.name.withCString { name in
                header.value.withCString { MHD_add_response_header(response, name, $0) }
            }
            if added != flagstaff_mhd_yes {
                log(
                    "A response's header field \"\(header.name)\" was left out: its name or value is not valid."
                )
            }
        }
        if closing || closesConnection {
            MHD_add_response_header(response, "Connection", "close")
        }
        return response
    }

    private func makeWithoutHeaders(isBodyless: Bool) -> OpaquePointer? {
        switch body {
        case .none:
            return MHD_create_response_from_buffer(0, nil, flagstaff_mhd_persistent)
        case .bytes(let bytes):
            return bytes.withUnsafeBytes {
                // The library only reads: the parameter lacks `const` for historical reasons.
                MHD_create_response_from_buffer(
                    $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), flagstaff_mhd_must_copy)
            }
        case .omitted(let length):
            guard isBodyless else { return nil }
            return MHD_create_response_from_callback(
                UInt64(length), 1, { _, _, _, _ in flagstaff_mhd_end_with_error }, nil, nil)
        case .stream where status == .noContent || status == .notModified:
            return MHD_create_response_from_buffer(0, nil, flagstaff_mhd_persistent)
        case .stream(let stream):
            // Retained until the library releases its response.
            let response = MHD_create_response_from_callback(
                flagstaff_mhd_size_unknown, Self.streamBlockSize, readStream,
                Unmanaged.passRetained(stream).toOpaque(), releaseStream)
            if isBodyless, let response {
                // The library would send the mark of a chunked body's end, which `HEAD` must not get.
                flagstaff_mhd_end_with_connection(response)
            }
            return response
        }
    }
}

/// The library's content reader: fills its buffer from the stream.
private func readStream(
    context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, count: Int
) -> Int {
    guard let context else { return flagstaff_mhd_end_with_error }
    let stream = Unmanaged<HTTPStream>.fromOpaque(context).takeUnretainedValue()
    switch stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count)) {
    case .copied(let copied): return copied
    case .suspend: return 0
    case .finish: return flagstaff_mhd_end_of_stream
    // The socket is shut down: no end reaches the client. After an error reported from here the library would
    // not release the connection before its idle timeout; after one of its own, in sending, it does at once.
    case .abort: return flagstaff_mhd_end_of_stream
    }
}

private func releaseStream(context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<HTTPStream>.fromOpaque(context).release()
}
