/// Why values could not be fetched.
public struct AbrovaFlagsError: Error, Hashable, Sendable {
    /// A kind of failure.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        // Apps switch over these without a default, so the enumeration is closed.
        /// The service could not be reached.
        case network
        /// The service took longer than ``AbrovaFlagsConfig/requestTimeoutSeconds``.
        case timeout
        /// The service refuses the key (401): no automatic fetches until `refresh()`.
        case unauthorized
        /// The key may not evaluate flags (403): no automatic fetches until `refresh()`.
        case forbidden
        /// There is no such service or environment (404): no automatic fetches until `refresh()`.
        case notFound
        /// Too many requests (429): the client waits for as long as the service asks.
        case rateLimited
        /// The service failed (5xx).
        case server
        /// The answer could not be used.
        case invalidResponse
    }

    /// The kind of failure.
    public var kind: Kind
    /// The HTTP status, where there was an answer.
    public var statusCode: Int?
    /// The failure's name for programs, where there is a more exact one than ``kind``.
    public var code: String?
    /// What happened and what to do, for developers: no key, nothing about the user.
    public var message: String

    /// Makes an error, for tests of code that handles one.
    ///
    /// - Parameters:
    ///   - kind: The kind of failure.
    ///   - statusCode: The HTTP status. Default `nil`.
    ///   - code: The failure's name for programs. Default `nil`.
    ///   - message: What happened.
    public init(kind: Kind, statusCode: Int? = nil, code: String? = nil, message: String) {
        self.kind = kind
        self.statusCode = statusCode
        self.code = code
        self.message = message
    }
}

extension AbrovaFlagsError: CustomStringConvertible {
    /// The kind and the message.
    public var description: String { "\(kind.rawValue): \(message)" }
}
