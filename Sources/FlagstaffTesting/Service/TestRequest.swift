import FlagModel
public import Flagstaff
public import Foundation

/// A request that reached a ``TestFlagService``.
public struct TestRequest: Hashable, Sendable {
    /// What a client asks for, and why.
    ///
    /// Open: later versions can add some.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The kind's name.
        public let rawValue: String

        /// Makes a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// All flags, for a call of `start`.
        public static let start = Kind(rawValue: "start")
        /// All flags, for a call of `setContext`.
        public static let contextChange = Kind(rawValue: "contextChange")
        /// All flags, for any other call that asks for current values, such as `refresh`.
        public static let refresh = Kind(rawValue: "refresh")
        /// All flags, without a call that waits for them: a poll, a notice, another attempt.
        public static let update = Kind(rawValue: "update")
        /// A stream is opened.
        public static let stream = Kind(rawValue: "stream")
        /// Telemetry is handed in.
        public static let telemetry = Kind(rawValue: "telemetry")
        /// Anything else.
        public static let other = Kind(rawValue: "other")
    }

    /// Counts the requests of a service, from 1 on.
    public var number: Int
    /// Which of the service's clients sent it: they are counted from 1 on.
    public var client: Int
    /// What it asks for; one request can serve several calls.
    public var kinds: Set<Kind>
    /// `GET` or `POST`.
    public var method: String
    /// Where it goes.
    public var url: URL
    /// All headers; names are in lower case.
    public var headers: [String: String]
    /// The body as it was sent.
    public var body: [UInt8]
    /// Whom flags are asked for; `nil` where none are.
    public var context: FlagContext?

    /// Makes a request, for tests of what is done with requests.
    ///
    /// - Parameters:
    ///   - number: Its number.
    ///   - client: Whose it is.
    ///   - kinds: What it asks for.
    ///   - method: `GET` or `POST`.
    ///   - url: Where it goes.
    ///   - headers: The headers; names in lower case.
    ///   - body: The body.
    ///   - context: Whom flags are asked for.
    public init(
        number: Int = 1, client: Int = 1, kinds: Set<Kind>, method: String = "POST", url: URL,
        headers: [String: String] = [:], body: [UInt8] = [], context: FlagContext? = nil
    ) {
        self.number = number
        self.client = client
        self.kinds = kinds
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.context = context
    }

    /// The body read as JSON; `nil` where it is none.
    public var json: FlagValue? { try? JSONParser.parse(body) }

    /// The path below the endpoint's host.
    public var path: String { url.path }
}

extension TestRequest {
    init(_ exchange: MemoryExchange, number: Int, client: Int) {
        let request = exchange.request
        self.number = number
        self.client = client
        method = request.method
        url = request.url
        headers = Dictionary(
            request.headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { _, last in last })
        body = request.body ?? []
        kinds = Self.kinds(of: exchange)
        context = Self.context(of: exchange)
    }

    /// Whom flags are asked for; `nil` where none are.
    static func context(of exchange: MemoryExchange) -> FlagContext? {
        let request = exchange.request
        guard request.method == "POST", kinds(of: exchange).isDisjoint(with: [.telemetry, .other]) else {
            return nil
        }
        return (try? OFREPContext.parse(request.body ?? [])).map(FlagContext.init(members:))
    }

    private static func kinds(of exchange: MemoryExchange) -> Set<Kind> {
        let path = exchange.request.url.path
        if exchange.isStream { return [.stream] }
        if path.hasSuffix("/ofrep/v1/evaluate/flags") {
            let purposes = exchange.request.purposes
            return purposes.isEmpty ? [.update] : Set(purposes.map { Kind(rawValue: $0.rawValue) })
        }
        return [path.hasSuffix("/telemetry") ? .telemetry : .other]
    }
}

extension FlagContext {
    /// The context that was sent as these members.
    fileprivate init(members: [String: FlagValue]) {
        var attributes = members
        let key = members["targetingKey"]?.stringValue
        if key != nil { attributes["targetingKey"] = nil }
        let bucketingKey = members["bucketingKey"]?.stringValue
        if bucketingKey != nil { attributes["bucketingKey"] = nil }
        let isAnonymous = members["anonymous"]?.boolValue == true
        if isAnonymous { attributes["anonymous"] = nil }
        self.init(key: key, bucketingKey: bucketingKey, isAnonymous: isAnonymous, attributes: attributes)
    }
}

extension TestRequest.Kind: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
