public import Foundation

/// What kept a client from getting values, or what is wrong with its configuration.
public struct FlagClientError: Error, Hashable, Sendable {
    /// A kind of fault.
    ///
    /// Open: later versions can add some.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The kind's name.
        public let rawValue: String

        /// Makes a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The configuration cannot work: a programming error.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// The client has no context yet: `start` comes first.
        public static let notStarted = Code(rawValue: "notStarted")
        /// The service could not be reached, or the connection broke.
        public static let network = Code(rawValue: "network")
        /// The service took longer than the request's limit.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The service refuses the key (401).
        public static let unauthorized = Code(rawValue: "unauthorized")
        /// The key is not allowed to do this (403).
        public static let forbidden = Code(rawValue: "forbidden")
        /// There is no such service at the endpoint (404).
        public static let notFound = Code(rawValue: "notFound")
        /// Too many requests (429): see ``FlagClientError/retryAfter``.
        public static let rateLimited = Code(rawValue: "rateLimited")
        /// The service does not accept the request (any other 4xx).
        public static let rejected = Code(rawValue: "rejected")
        /// The service failed (5xx).
        public static let serverError = Code(rawValue: "serverError")
        /// The answer is not what the protocol asks for.
        public static let badResponse = Code(rawValue: "badResponse")
    }

    /// The kind of fault.
    public var code: Code
    /// What happened and what to do, for developers.
    ///
    /// Without keys, stream addresses or context values.
    public var message: String
    /// The HTTP status, where there was an answer.
    public var status: Int?
    /// In how many seconds the service allows the next request, where it said so.
    public var retryAfter: TimeInterval?

    /// Makes an error from its parts.
    ///
    /// - Parameters:
    ///   - code: The kind of fault.
    ///   - message: What happened and what to do.
    ///   - status: The HTTP status, where there was an answer.
    ///   - retryAfter: In how many seconds the service allows the next request.
    public init(code: Code, message: String, status: Int? = nil, retryAfter: TimeInterval? = nil) {
        self.code = code
        self.message = message
        self.status = status
        self.retryAfter = retryAfter
    }

    /// Whether asking again unchanged is pointless (401, 403, 404): the client stops until it is asked to go on.
    public var isRefusal: Bool {
        code == .unauthorized || code == .forbidden || code == .notFound
    }

    /// Whether the service has answered that it does not accept the request: any 4xx but 429.
    var isRejection: Bool {
        status.map { (400..<500).contains($0) && $0 != 429 } ?? false
    }
}

extension FlagClientError: CustomStringConvertible, LocalizedError {
    /// The kind and the message.
    public var description: String { "\(code.rawValue): \(message)" }

    /// The message.
    public var errorDescription: String? { message }
}

extension FlagClientError.Code: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
