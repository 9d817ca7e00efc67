extension Bool: ConfigValue {
    /// Booleans, and text.
    public static var configValueKind: ConfigValueKind { .boolean }

    /// Reads `true` and `false` in any case, and nothing else.
    public init?(configValue: String) {
        switch configValue.lowercased() {
        case "true": self = true
        case "false": self = false
        default: return nil
        }
    }
}

extension String: ConfigValue {
    /// Text, choices, addresses, and JSON documents as text.
    public static var configValueKind: ConfigValueKind { .string }

    /// Takes the text as it is.
    public init?(configValue: String) {
        self = configValue
    }
}

extension Int: ConfigValue {
    /// Numbers, and text and choices that are some.
    public static var configValueKind: ConfigValueKind { .number }

    /// Reads a whole number, and the whole part of any other that is finite and fits.
    public init?(configValue: String) {
        if let number = Int(configValue) {
            self = number
        } else if let number = Double(configValue: configValue),
            let whole = Int(exactly: number.rounded(.towardZero))
        {
            self = whole
        } else {
            return nil
        }
    }
}

extension Double: ConfigValue {
    /// Numbers, and text and choices that are some.
    public static var configValueKind: ConfigValueKind { .number }

    /// Reads a number that is finite.
    public init?(configValue: String) {
        guard let number = Double(configValue), number.isFinite else { return nil }
        self = number
    }
}
