// One rule for all: nothing is lost and nothing is guessed. Numbers convert between whole and fractional where the
// number stays the same; text is no number, and 1 is not true.

extension Bool: FlagConvertible {
    /// Makes the Boolean that a flag serves; `nil` for any other type of value.
    public init?(flagValue: FlagValue) {
        guard let value = flagValue.boolValue else { return nil }
        self = value
    }
}

extension Int: FlagConvertible {
    /// Makes the whole number that a flag serves; `nil` for a fraction, for what does not fit, and for other types.
    public init?(flagValue: FlagValue) {
        guard let value = flagValue.intValue else { return nil }
        self.init(exactly: value)
    }
}

extension Int64: FlagConvertible {
    /// Makes the whole number that a flag serves; `nil` for a fraction, for what does not fit, and for other types.
    public init?(flagValue: FlagValue) {
        guard let value = flagValue.intValue else { return nil }
        self = value
    }
}

extension Double: FlagConvertible {
    /// Makes the number that a flag serves; `nil` for a whole number that a double cannot hold exactly (some above
    /// 2^53), and for other types.
    public init?(flagValue: FlagValue) {
        guard let value = flagValue.doubleValue else { return nil }
        self = value
    }
}

extension String: FlagConvertible {
    /// Makes the text that a flag serves; `nil` for any other type of value.
    public init?(flagValue: FlagValue) {
        guard let value = flagValue.stringValue else { return nil }
        self = value
    }
}

extension FlagValue: FlagConvertible {
    /// Takes what a flag serves as it is.
    public init?(flagValue: FlagValue) {
        self = flagValue
    }
}
