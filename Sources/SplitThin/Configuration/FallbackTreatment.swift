/// What stands for a flag that cannot be evaluated.
public struct FallbackTreatment: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The treatment: up to 100 letters, digits, dots, hyphens and underscores, of which a letter or digit is first; dots
    /// only after a digit.
    public let treatment: String
    /// The treatment's configuration, as JSON text.
    public let config: String?

    /// Makes a fallback.
    ///
    /// - Parameters:
    ///   - treatment: The treatment.
    ///   - config: The treatment's configuration. Default: none.
    public init(treatment: String, config: String? = nil) {
        self.treatment = treatment
        self.config = config
    }

    /// Makes a fallback without a configuration.
    public init(stringLiteral value: String) {
        self.init(treatment: value)
    }

    /// Whether the treatment can be one.
    var isValid: Bool {
        guard treatment.utf8.count <= 100, let first = treatment.utf8.first else { return false }
        let startsWithDigit = (0x30...0x39).contains(first)
        let startsWithLetter = (0x41...0x5A).contains(first) || (0x61...0x7A).contains(first)
        guard startsWithDigit || startsWithLetter else { return false }
        return treatment.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                || startsWithDigit && byte == UInt8(ascii: ".")
        }
    }
}
