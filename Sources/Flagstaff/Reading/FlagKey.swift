/// A flag's key together with its type and its default, declared once and used everywhere.
///
/// ```swift
/// extension FlagKey<Bool> {
///     static var newCheckout: Self { Self("new-checkout", default: false) }
/// }
///
/// if flags[.newCheckout] { … }
/// ```
public struct FlagKey<Value: FlagConvertible>: Hashable, Sendable {
    /// The flag's key in the service.
    public let name: String
    /// What a read gives when the flag has no value of this type.
    public let defaultValue: Value

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - name: The flag's key in the service.
    ///   - defaultValue: What a read gives when the flag has no value of this type.
    public init(_ name: String, default defaultValue: Value) {
        self.name = name
        self.defaultValue = defaultValue
    }

    /// Compares names and defaults.
    public static func == (left: FlagKey, right: FlagKey) -> Bool {
        left.name == right.name && left.defaultValue == right.defaultValue
    }

    /// Feeds the name into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}
