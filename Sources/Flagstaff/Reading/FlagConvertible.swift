/// A type that flags can be read as: `Bool`, `Int`, `Int64`, `Double`, `String`, `FlagValue`, and your own.
///
/// An enum with a raw value needs no more than to say so:
///
/// ```swift
/// enum Theme: String, FlagConvertible { case light, dark }
/// let theme = flags.value(for: "theme", default: Theme.light)
/// ```
///
/// Other types write the initializer. It may be called from any thread, and on every read.
public protocol FlagConvertible: Equatable, Sendable {
    /// Makes the value that a flag serves; `nil` when the flag's value is of another type.
    ///
    /// A read then gives the default, with the error code `TYPE_MISMATCH`.
    ///
    /// - Parameter flagValue: What the flag serves.
    init?(flagValue: FlagValue)
}

extension FlagConvertible where Self: RawRepresentable, RawValue: FlagConvertible {
    /// Makes the case with the raw value that a flag serves; `nil` when there is no such case.
    @inlinable
    public init?(flagValue: FlagValue) {
        guard let rawValue = RawValue(flagValue: flagValue) else { return nil }
        self.init(rawValue: rawValue)
    }
}
