/// What went wrong in an evaluation.
///
/// Open: a service can send codes that are not listed here.
public struct FlagErrorCode: RawRepresentable, Hashable, Sendable {
    /// The code as it is written in the protocol, such as `FLAG_NOT_FOUND`.
    public let rawValue: String

    /// Makes a code from its protocol name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// There is no flag with that key.
    public static let flagNotFound = FlagErrorCode(rawValue: "FLAG_NOT_FOUND")
    /// The flag's definition, or a message, could not be understood.
    public static let parseError = FlagErrorCode(rawValue: "PARSE_ERROR")
    /// A rule needs a targeting key, and the context has none.
    public static let targetingKeyMissing = FlagErrorCode(rawValue: "TARGETING_KEY_MISSING")
    /// The context is not what the protocol asks for.
    public static let invalidContext = FlagErrorCode(rawValue: "INVALID_CONTEXT")
    /// The flag's value is of another type than was asked for.
    public static let typeMismatch = FlagErrorCode(rawValue: "TYPE_MISMATCH")
    /// The client has no values yet.
    public static let providerNotReady = FlagErrorCode(rawValue: "PROVIDER_NOT_READY")
    /// The client cannot work with this configuration, such as a refused key.
    public static let providerFatal = FlagErrorCode(rawValue: "PROVIDER_FATAL")
    /// Any other fault.
    public static let general = FlagErrorCode(rawValue: "GENERAL")
}

extension FlagErrorCode: CustomStringConvertible {
    /// The protocol name.
    public var description: String { rawValue }
}
