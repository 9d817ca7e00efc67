package import Foundation

/// What carries requests to a service and answers back.
///
/// Interchangeable: the conformance tests say what it must do.
///
/// The caller names each request by a number that it never uses twice. Handlers are called on any thread, for one
/// request one call after the other, and never inside ``send(_:id:completion:)``'s or ``open(_:id:receive:)``'s
/// caller's locks.
package protocol FlagTransport: Sendable {
    /// Sends a request and collects the answer.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - id: The caller's number for it.
    ///   - completion: Called exactly once, also after ``cancel(_:)`` and ``close()``.
    func send(
        _ request: TransportRequest, id: Int,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void)

    /// Sends a request and delivers the answer as it arrives.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - id: The caller's number for it.
    ///   - receive: Called with the head, then the bytes, and exactly once, last, with the end.
    func open(
        _ request: TransportRequest, id: Int, receive: @escaping @Sendable (TransportSignal) -> Void)

    /// Cuts a request or stream; nothing happens when it is over.
    func cancel(_ id: Int)

    /// Cuts everything for good. What is sent afterwards fails.
    func close()
}

/// One HTTP request.
package struct TransportRequest: Hashable, Sendable {
    /// `GET` or `POST`.
    package var method: String
    /// Where it goes.
    package var url: URL
    /// The headers by name.
    package var headers: [String: String]
    /// The body, or `nil` for none.
    package var body: [UInt8]?
    /// After how many seconds without a byte the request fails.
    package var idleTimeout: TimeInterval
    /// What the app's calls that wait for the answer are for; empty where the client asks of itself.
    ///
    /// Not sent.
    package var purposes: Set<RequestPurpose> = []

    /// Makes a request.
    package init(
        method: String, url: URL, headers: [String: String], body: [UInt8]?, idleTimeout: TimeInterval
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.idleTimeout = idleTimeout
    }
}

/// The head of an HTTP answer.
package struct TransportHead: Hashable, Sendable {
    /// The status code.
    package var status: Int
    /// The headers; names are in lower case.
    package var headers: [String: String]

    /// Makes a head; names can be in any case.
    package init(status: Int, headers: [String: String]) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { _, last in last })
    }
}

/// A whole HTTP answer.
package struct TransportResponse: Hashable, Sendable {
    /// The status and headers.
    package var head: TransportHead
    /// The body, decompressed.
    package var body: [UInt8]

    /// Makes an answer.
    package init(head: TransportHead, body: [UInt8]) {
        self.head = head
        self.body = body
    }
}

/// What arrives on a stream.
package enum TransportSignal: Hashable, Sendable {
    /// The status and headers, once, first.
    case head(TransportHead)
    /// Bytes of the body, split anywhere.
    case bytes([UInt8])
    /// The end: without an error when the service ended the body as it should.
    case ended(TransportError?)
}

/// Why there is no whole answer.
package struct TransportError: Error, Hashable, Sendable {
    /// A kind of fault.
    package enum Kind: Hashable, Sendable {
        /// No connection, or it broke.
        case network
        /// Nothing arrived for too long.
        case timedOut
        /// The answer is larger than a client takes.
        case tooLarge
        /// Cut by the caller.
        case cancelled
    }

    /// The kind of fault.
    package var kind: Kind
    /// What happened, without addresses.
    package var message: String

    /// Makes an error.
    package init(kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }
}
