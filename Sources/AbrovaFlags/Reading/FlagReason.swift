/// Why a read gave its value, as ``FlagDetail/reason`` says it.
///
/// The reasons are texts, so that they can be logged and compared as they are: `d.reason == .notReady`.
public typealias FlagReason = String

extension String {
    /// The flag is a Boolean without named variants, and on.
    public static let on = "ON"
    /// The flag is on and chose the value of a variant, or is not a Boolean.
    public static let variant = "VARIANT"
    /// The flag is off.
    public static let off = "OFF"
    /// No rule of the flag applies: its default value, or the code's.
    public static let `default` = "DEFAULT"
    /// There are no values yet: the code's default.
    public static let notReady = "NOT_READY"
    /// The service has no such flag: the code's default.
    public static let notFound = "NOT_FOUND"
    /// The flag has another type than the read: the code's default.
    public static let typeMismatch = "TYPE_MISMATCH"
    /// The service could not evaluate the flag: the code's default.
    public static let error = "ERROR"
}
