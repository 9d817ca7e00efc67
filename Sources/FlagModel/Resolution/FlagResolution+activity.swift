extension FlagResolution {
    /// Whether the flag's own rules switch it on for the context, whatever the type of its value.
    ///
    /// Not active is what has no value or an error, what is served for want of a matching rule (`DEFAULT`) or because the
    /// flag is off (`DISABLED`), and a plain `false` (``isPlainBoolean``). Everything else is: a `true`, a text, a number,
    /// an object, and an arm of an experiment with Boolean values, such as `false` under the name `control`.
    public var isActive: Bool {
        guard let value, errorCode == nil else { return false }
        if reason == .default || reason == .disabled || reason == .error { return false }
        return value != .bool(false) || !isPlainBoolean
    }

    /// Whether the value is a Boolean whose variant has no name of its own: none, or `on`, `off`, `true` or `false` in
    /// upper or lower case.
    public var isPlainBoolean: Bool {
        guard case .bool? = value else { return false }
        guard let variant else { return true }
        return Self.plainNames.contains(variant.lowercased())
    }

    private static let plainNames: Set = ["on", "off", "true", "false"]
}
