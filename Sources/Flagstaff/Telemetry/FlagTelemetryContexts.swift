/// What a client reports of the contexts that flags were read in.
public struct FlagTelemetryContexts: RawRepresentable, Hashable, Sendable {
    /// The mode's name.
    public let rawValue: String

    /// Makes a mode from its name.
    ///
    /// Names that this version does not know act as ``none``.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Nothing.
    public static let none = FlagTelemetryContexts(rawValue: "none")
    /// Which attributes there are and of which types, without their values.
    public static let shapes = FlagTelemetryContexts(rawValue: "shapes")
    /// The attributes themselves, as samples: a context at most once an hour, at most 20 contexts a report; of the
    /// others, and of contexts larger than 8 KiB, the shapes.
    ///
    /// What is listed in ``FlagTelemetryPolicy/privateAttributes`` is left out.
    public static let examples = FlagTelemetryContexts(rawValue: "examples")
}

extension FlagTelemetryContexts: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
