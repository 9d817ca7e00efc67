/// The result of a read with what is known about it.
public struct FlagDetail<Value> {
    /// The flag's value, or the default that the read named.
    public var value: Value
    /// Whether the flag is on: its ``reason`` is `ON` or `VARIANT`.
    public var enabled: Bool
    /// The name of the variant that the value belongs to.
    public var variant: String?
    /// Why it is this value: one of the texts of ``FlagReason``.
    public var reason: String
    /// The flag's version, where the service tells one that is a whole number.
    public var version: Int?

    /// Makes a result, for tests of code that takes one.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - enabled: Whether the flag is on.
    ///   - variant: The name of the variant. Default `nil`.
    ///   - reason: Why it is this value.
    ///   - version: The flag's version. Default `nil`.
    public init(value: Value, enabled: Bool, variant: String? = nil, reason: String, version: Int? = nil) {
        self.value = value
        self.enabled = enabled
        self.variant = variant
        self.reason = reason
        self.version = version
    }
}

extension FlagDetail: Sendable where Value: Sendable {}

extension FlagDetail: Equatable where Value: Equatable {}
