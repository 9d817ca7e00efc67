/// What of a request's head decides whether its body is received.
struct RequestHead {
    var size: Int
    var contentLength: String?
    var transferEncoding: String?
    var isHostKnown: Bool
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
        if let coding = head.transferEncoding {
            // Both lengths in one request is how requests are smuggled past a proxy.
            guard head.contentLength == nil else { return .refuse(.badRequest) }
            guard coding.lowercased() == "chunked" else { return .refuse(.notImplemented) }
            return .accept(expectedBytes: 0)
        }
        guard let text = head.contentLength else { return .accept(expectedBytes: 0) }
        // The library has checked that these are digits; too many of them is too large.
        guard let length = Int(text), length <= maxBodyBytes else { return .refuse(.contentTooLarge) }
        return .accept(expectedBytes: min(length, Self.trustedContentLength))
    }
}
