/// What of a request's head decides whether its body is received.
struct RequestHead {
    /// Bytes of request line and header fields.
    var size = 0
    /// The values of the fields `Content-Length`, as received.
    var contentLengths: [String] = []
    /// The values of the fields `Transfer-Encoding`, as received.
    var transferEncodings: [String] = []
    /// How many fields `Host` there are.
    var hostCount = 1
    /// Whether there is space between a field's name and its colon.
    var hasMalformedName = false
    /// Whether the request is HTTP/1.0.
    var isOldVersion = false

    /// Whether a body follows, as far as the head says.
    var hasBody: Bool {
        !transferEncodings.isEmpty || contentLengths.contains { $0 != "0" }
    }
}

/// The limits of a request.
struct RequestLimits {
    /// How much of a body that is too large is read and thrown away, so that its sender gets to see the answer.
    static let discardedBytes = 4 * 1_048_576
    // A client's word is not worth more memory than this before its bytes arrive.
    private static let trustedContentLength = 16_384

    private let maxHeaderBytes: Int
    private let maxBodyBytes: Int

    init(_ configuration: HTTPServer.Configuration) {
        maxHeaderBytes = configuration.maxHeaderBytes
        maxBodyBytes = configuration.maxBodyBytes
    }

    enum Decision: Equatable {
        /// Receive the body; reserve memory for this many bytes of it.
        case accept(expectedBytes: Int)
        case refuse(HTTPStatus)
    }

    func check(_ head: RequestHead) -> Decision {
        if head.size > maxHeaderBytes {
            return .refuse(.headerFieldsTooLarge)
        }
        // RFC 9112 §5.1: a proxy may take `Transfer-Encoding : chunked` for what it means, the library does not.
        if head.hasMalformedName { return .refuse(.badRequest) }
        // RFC 9112 §3.2.
        if head.hostCount > 1 || (head.hostCount == 0 && !head.isOldVersion) {
            return .refuse(.badRequest)
        }
        if let coding = head.transferEncodings.first {
            // Two opinions about where a body ends is how requests are smuggled past a proxy.
            guard head.contentLengths.isEmpty, !head.isOldVersion else { return .refuse(.badRequest) }
            guard head.transferEncodings.count == 1, coding.lowercased() == "chunked" else {
                return .refuse(.notImplemented)
            }
            return .accept(expectedBytes: 0)
        }
        guard let text = head.contentLengths.first else { return .accept(expectedBytes: 0) }
        guard head.contentLengths.allSatisfy({ $0 == text }) else { return .refuse(.badRequest) }
        // The library has checked that these are digits; too many of them is too large.
        guard let length = Int(text), length <= maxBodyBytes else { return .refuse(.contentTooLarge) }
        return .accept(expectedBytes: min(length, Self.trustedContentLength))
    }
}
