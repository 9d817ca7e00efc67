/// What an evaluation gave.
public struct EvaluationResult: Sendable, Equatable {
    /// The flag's name.
    public let flag: String
    /// The treatment: the name of a variant, `on` or `off`, or the fallback.
    public let treatment: String
    /// The treatment's configuration, as JSON text; `nil` for none, and where configurations are not enabled.
    public let config: String?
    /// The flag's version, where the service tells one that is a whole number.
    public let changeNumber: Int64?
    /// The flag sets that the flag belongs to.
    public let flagSets: [String]

    /// Makes a result.
    ///
    /// - Parameters:
    ///   - flag: The flag's name.
    ///   - treatment: The treatment.
    ///   - config: The treatment's configuration.
    ///   - changeNumber: The flag's version.
    ///   - flagSets: The flag sets that the flag belongs to.
    public init(
        flag: String, treatment: String, config: String? = nil, changeNumber: Int64? = nil,
        flagSets: [String] = []
    ) {
        self.flag = flag
        self.treatment = treatment
        self.config = config
        self.changeNumber = changeNumber
        self.flagSets = flagSets
    }
}
