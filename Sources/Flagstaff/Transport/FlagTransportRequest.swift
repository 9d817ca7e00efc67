public import Foundation

/// One HTTP request of a client.
public struct FlagTransportRequest: Hashable, Sendable {
    /// `GET` or `POST`.
    public var method: String
    /// Where it goes: an absolute `http` or `https` address, whose encoding is to be kept.
    ///
    /// It can hold a token: not to be logged.
    public var url: URL
    /// The headers by name; no name is there twice.
    ///
    /// They hold the client's key: not to be logged.
    public var headers: [String: String]
    /// The body, or `nil` for none.
    public var body: [UInt8]?
    /// After how many seconds without a byte of the answer the request fails; more than 0.
    public var idleTimeout: TimeInterval
    /// What the app's calls that wait for the answer are for; empty where the client asks of itself.
    ///
    /// Not sent.
    package var purposes: Set<RequestPurpose> = []

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: `GET` or `POST`.
    ///   - url: Where it goes.
    ///   - headers: The headers by name.
    ///   - body: The body, or `nil` for none.
    ///   - idleTimeout: After how many seconds without a byte of the answer the request fails.
    public init(
        method: String, url: URL, headers: [String: String], body: [UInt8]?, idleTimeout: TimeInterval
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.idleTimeout = idleTimeout
    }
}

extension FlagTransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the host: no address, header or body, as those hold secrets.
    public var description: String { "\(method) request to \(url.host ?? "nowhere")" }

    /// The description.
    public var debugDescription: String { description }

    /// No parts, so that `dump` and failed expectations show no secret either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
