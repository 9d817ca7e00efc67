import Foundation

extension ServiceAddress {
    /// The request for all flags of a context.
    ///
    /// - Parameters:
    ///   - fetch: What to ask for.
    ///   - timeout: After how many seconds of silence it fails.
    /// - Returns: The request; `nil` when the endpoint makes no URL.
    func request(for fetch: FetchRequest, timeout: TimeInterval) -> FlagTransportRequest? {
        var address = base + "/ofrep/v1/evaluate/flags"
        var items: [String] = []
        if let etag = fetch.notice?.etag { items.append("flagConfigEtag=" + Self.encoded(etag)) }
        if let time = fetch.notice?.lastModified {
            items.append("flagConfigLastModified=" + Self.encoded(time))
        }
        if !items.isEmpty { address += "?" + items.joined(separator: "&") }
        guard let url = URL(string: address) else { return nil }
        var headers = privateHeaders
        headers["Content-Type"] = "application/json"
        headers["Accept"] = "application/json"
        headers["If-None-Match"] = fetch.etag
        return FlagTransportRequest(
            method: "POST", url: url, headers: headers, body: OFREPContext.body(for: fetch.context),
            idleTimeout: timeout)
    }

    /// The request that opens a stream; `nil` when the announced address is none that may be used.
    ///
    /// A stream that is sent the context must be at an endpoint's own origin. Notices may come from elsewhere, without
    /// the key and the configured headers, but not in clear where an endpoint is not: the address can hold a token.
    func request(for stream: StreamRequest, idleTimeout: TimeInterval) -> FlagTransportRequest? {
        guard let url = URL(string: stream.url), let origin = Origin(url) else { return nil }
        let isOwn = isOwn(origin)
        if stream.kind == .evaluations, !isOwn { return nil }
        if !isOwn, origin.scheme == "http", endpoints.contains(where: { $0.origin.scheme == "https" }) {
            return nil
        }
        var headers = isOwn ? privateHeaders : [:]
        headers["Accept"] = "text/event-stream"
        headers["Last-Event-ID"] = stream.lastEventID
        switch stream.kind {
        case .evaluations:
            headers["Content-Type"] = "application/json"
            headers["If-None-Match"] = stream.etag
            return FlagTransportRequest(
                method: "POST", url: url, headers: headers, body: OFREPContext.body(for: stream.context),
                idleTimeout: idleTimeout)
        case .notices:
            return FlagTransportRequest(
                method: "GET", url: url, headers: headers, body: nil, idleTimeout: idleTimeout)
        }
    }

    /// Text as the value of a query item: everything but unreserved ASCII is percent-encoded, `+` included.
    static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}
