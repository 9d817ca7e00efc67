/// An answer to a request.
///
/// `Date`, `Connection`, `Content-Length` and `Transfer-Encoding` are the server's to write; all other header
/// fields are the handler's. A field whose name or value is not valid in HTTP (a line break, say) is left out
/// and reported to the log.
package struct HTTPResponse: Sendable {
    /// What follows the head of a response.
    package enum Body: Sendable {
        /// Nothing; `Content-Length: 0` where the status allows a body.
        case none
        /// These bytes. An answer to `HEAD` and a 304 has their count as `Content-Length`, without the bytes.
        case bytes([UInt8])
        /// No bytes, but their count: for 304, and for `HEAD` where the bytes are not at hand. Other answers
        /// must not use it and become a 500.
        case omitted(length: Int)
        /// Bytes that are written over time, in chunks.
        case stream(HTTPStream)
    }

    /// The status code.
    package var status: HTTPStatus
    /// The header fields, in the order in which they are sent.
    package var headers: [HTTPHeader]
    /// What follows the head.
    ///
    /// Ignored with statuses that have no body (204, 304).
    package var body: Body
    /// Whether the connection is closed after this response.
    ///
    /// Default: false, the client decides.
    package var closesConnection = false

    /// A response; without arguments after the status it has no header fields and no body.
    package init(_ status: HTTPStatus, headers: [HTTPHeader] = [], body: Body = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response with these bytes and their media type.
    package init(
        _ status: HTTPStatus, contentType: String, headers: [HTTPHeader] = [], bytes: [UInt8]
    ) {
        self.status = status
        self.headers = [HTTPHeader("Content-Type", contentType)] + headers
        body = .bytes(bytes)
    }

    /// A response with plain text.
    package static func text(_ status: HTTPStatus, _ text: String) -> HTTPResponse {
        HTTPResponse(status, contentType: "text/plain; charset=utf-8", bytes: Array(text.utf8))
    }
}
