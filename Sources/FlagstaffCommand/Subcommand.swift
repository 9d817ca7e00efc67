/// One of the things `flagstaff` can do.
///
/// To add one, conform a type and list it in ``CommandLineTool/subcommands``.
protocol Subcommand: Sendable {
    /// What it is called and which arguments it takes.
    static var specification: CommandSpecification { get }

    /// Takes the arguments, which have been checked against the specification.
    ///
    /// - Parameter arguments: The arguments.
    /// - Throws: ``UsageError`` when a value does not make sense.
    init(_ arguments: ParsedArguments) throws(UsageError)

    /// Does the work.
    ///
    /// - Parameter console: Where output goes.
    /// - Returns: What the process should exit with.
    func run(_ console: Console) async -> CommandStatus
}
