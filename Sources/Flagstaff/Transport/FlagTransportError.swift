/// Why a transport has no whole answer.
public struct FlagTransportError: Error, Hashable, Sendable {
    /// A kind of fault.
    ///
    /// Open: later versions can add some. A client takes one that it does not know for ``network``.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The kind's name.
        public let rawValue: String

        /// Makes a kind from its name.
        ///
        /// - Parameter rawValue: The kind's name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No connection, or it broke.
        public static let network = Kind(rawValue: "network")
        /// Nothing arrived for too long.
        public static let timedOut = Kind(rawValue: "timedOut")
        /// The answer is larger than the transport takes.
        public static let tooLarge = Kind(rawValue: "tooLarge")
        /// Cut by the caller.
        public static let cancelled = Kind(rawValue: "cancelled")
    }

    /// The kind of fault.
    public var kind: Kind
    /// What happened, for developers: without addresses, headers and bodies, as it is logged.
    public var message: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - kind: The kind of fault.
    ///   - message: What happened, without addresses, headers and bodies.
    public init(kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }
}

extension FlagTransportError: CustomStringConvertible {
    /// The kind and the message.
    public var description: String { "\(kind.rawValue): \(message)" }
}

extension FlagTransportError.Kind: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
