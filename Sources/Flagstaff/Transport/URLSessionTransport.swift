import FlagModel

#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The transport of apps: one `URLSession` for the life of a client.
///
/// A session per request leaks, and tearing sessions down is known to crash on Linux, so there is one, and it goes
/// when the client is closed. Completion is told from the delegate's own table and never from error codes, which
/// differ between platforms.
package final class URLSessionTransport: FlagTransport {
    private let session: URLSession
    private let delegate: URLSessionTransportDelegate
    private let maximumBodyBytes: Int

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - configuration: What to start from; it is copied.
    ///   - maximumBodyBytes: How large the answer to a request may be. Default 32 MiB.
    package init(_ configuration: URLSessionConfiguration? = nil, maximumBodyBytes: Int = 32 << 20) {
        self.maximumBodyBytes = maximumBodyBytes
        delegate = URLSessionTransportDelegate()
        session = URLSession(
            configuration: Self.prepared(configuration), delegate: delegate, delegateQueue: nil)
    }

    private static func prepared(_ given: URLSessionConfiguration?) -> URLSessionConfiguration {
        let configuration = given?.copy() as? URLSessionConfiguration ?? .ephemeral
        // The client has its own rules for what may be kept.
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        // Streams stay open for as long as they show life, so the limits are per request and idle only.
        configuration.timeoutIntervalForResource = 365 * 86400
        configuration.timeoutIntervalForRequest = 600
        // Each stream keeps one connection for itself.
        configuration.httpMaximumConnectionsPerHost = 16
        return configuration
    }

    /// Sends a request and collects the answer.
    package func send(
        _ request: FlagTransportRequest, id: Int,
        completion: @escaping @Sendable (Result<FlagTransportResponse, FlagTransportError>) -> Void
    ) {
        start(request, id, .collect(CollectedAnswer(limit: maximumBodyBytes), completion))
    }

    /// Sends a request and delivers the answer as it arrives.
    package func open(
        _ request: FlagTransportRequest, id: Int, receive: @escaping @Sendable (FlagTransportSignal) -> Void
    ) {
        start(request, id, .deliver(receive))
    }

    /// Cuts a request or stream.
    package func cancel(_ id: Int) {
        delegate.cancel(id)
    }

    /// Cuts everything and ends the session.
    package func close() {
        delegate.closeAll(session)
    }

    private func start(
        _ request: FlagTransportRequest, _ id: Int, _ handler: URLSessionTransportDelegate.Handler
    ) {
        var urlRequest = URLRequest(url: request.url)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body.map { Data($0) }
        // As a property: the initializer's argument is passed over on Linux.
        urlRequest.timeoutInterval = Self.idleTimeout(request.idleTimeout)
        urlRequest.cachePolicy = .reloadIgnoringLocalCacheData
        // Else the system names the device's language and the versions of its own parts.
        urlRequest.setValue("*", forHTTPHeaderField: "Accept-Language")
        urlRequest.setValue(Self.userAgent, forHTTPHeaderField: "User-Agent")
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        delegate.start(urlRequest, id: id, handler, session: session)
    }

    private static let userAgent =
        "\(TelemetryBatch.Software.client.name)/\(TelemetryBatch.Software.client.version)"

    /// The limit in the form that the session keeps to.
    private static func idleTimeout(_ seconds: TimeInterval) -> TimeInterval {
        #if canImport(FoundationNetworking)
            // Parts of a second are dropped there, and a limit of 0 s is over at once.
            return max(1, seconds.rounded(.up))
        #else
            return seconds
        #endif
    }
}
