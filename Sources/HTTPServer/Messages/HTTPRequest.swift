/// A complete request, body included.
///
/// Header fields are looked up when asked for, in memory that belongs to the connection: the request is valid
/// during the handler's call only, which is why it is not `Sendable`. Copy what you need out of it.
package struct HTTPRequest {
    /// The method; `GET` for a `HEAD` request, whose answer is cut by the server.
    package let method: HTTPMethod
    /// Whether the client asked for the head only.
    ///
    /// A handler may save work on it, and need not look at it.
    package let isHead: Bool
    /// The bytes of the body; empty when there is none.
    package let body: [UInt8]
    private let splitTarget: HTTPTarget
    private let source: Source

    private enum Source {
        case connection(HTTPConnection)
        case values(headers: [HTTPHeader], remoteAddress: String)
    }

    init(method: HTTPMethod, target: HTTPTarget, body: [UInt8], connection: HTTPConnection) {
        isHead = method == .head
        self.method = isHead ? .get : method
        splitTarget = target
        self.body = body
        source = .connection(connection)
    }

    /// A request that came over no connection: to call a handler directly.
    ///
    /// - Parameters:
    ///   - method: the method; `HEAD` shows as `GET`, as it does to a handler.
    ///   - target: path and query, percent-encoded.
    ///   - headers: the header fields.
    ///   - body: the bytes of the body.
    ///   - remoteAddress: what ``remoteAddress`` says.
    package init(
        _ method: HTTPMethod, _ target: String, headers: [HTTPHeader] = [], body: [UInt8] = [],
        remoteAddress: String = "127.0.0.1"
    ) {
        isHead = method == .head
        self.method = isHead ? .get : method
        splitTarget = HTTPTarget(target)
        self.body = body
        source = .values(headers: headers, remoteAddress: remoteAddress)
    }

    /// Path and query exactly as received, percent-encoded.
    package var target: String { splitTarget.raw }

    /// The path, still percent-encoded, so that an encoded slash does not split a segment: split it at `/` and
    /// decode each segment with ``PercentEncoding/decode(segment:)``.
    package var path: String { splitTarget.path }

    /// The query without its question mark, still percent-encoded; nil when there is none.
    package var query: String? { splitTarget.query }

    /// The decoded items of the query; empty without a query, nil when one is not properly encoded.
    package var queryItems: [HTTPQueryItem]? {
        guard let query else { return [] }
        return HTTPQuery.items(of: query)
    }

    /// The first value of a header field, or nil; the name is compared without regard to case.
    package func header(_ name: String) -> String? {
        switch source {
        case .connection(let connection): connection.header(name)
        case .values(let headers, _): headers.first { $0.isNamed(name) }?.value
        }
    }

    /// All header fields in the order in which they arrived.
    package var headers: [HTTPHeader] {
        switch source {
        case .connection(let connection): connection.headers
        case .values(let headers, _): headers
        }
    }

    /// The client's numeric IPv4 or IPv6 address, without port; that of the last proxy if there is one.
    package var remoteAddress: String {
        switch source {
        case .connection(let connection): connection.remoteAddress
        case .values(_, let remoteAddress): remoteAddress
        }
    }
}

@available(*, unavailable)
extension HTTPRequest: Sendable {}
