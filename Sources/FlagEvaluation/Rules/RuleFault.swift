/// Why a rule could not be evaluated to the end.
enum RuleFault: Error, Hashable, Sendable {
    /// An operator that does not exist; its number in the rule's table of names.
    case unknownOperator(UInt32)
    /// An operator got no argument that it cannot do without.
    case missingArgument
    /// The evaluation takes more steps than allowed.
    case tooManySteps
    /// The evaluation produces more bytes than allowed.
    case tooManyBytes
    /// A produced value nests too deeply to be written out.
    case tooDeep
}
