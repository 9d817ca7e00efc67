/// A whole HTTP answer.
public struct FlagTransportResponse: Hashable, Sendable {
    /// The status and headers.
    public var head: FlagTransportHead
    /// The body, decompressed.
    public var body: [UInt8]

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - head: The status and headers.
    ///   - body: The body, decompressed. Default: empty.
    public init(head: FlagTransportHead, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }
}

/// The head of an HTTP answer.
public struct FlagTransportHead: Hashable, Sendable {
    /// The status code, from 100 to 599.
    public var status: Int
    /// The headers; names are in lower case.
    public var headers: [String: String]

    /// Makes a head.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The headers; names can be in any case. Of names that differ in case alone, one is kept.
    public init(status: Int, headers: [String: String]) {
        self.status = status
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { _, last in last })
    }
}

/// What arrives on a stream.
public enum FlagTransportSignal: Hashable, Sendable {
    /// The status and headers, once, first.
    case head(FlagTransportHead)
    /// Bytes of the body, split anywhere.
    case bytes([UInt8])
    /// The end: without an error when the service ended the body as it should.
    case ended(FlagTransportError?)
}
