/// The `flagstaff` command: finds the subcommand, and answers `--help` and `--version`.
enum CommandLineTool {
    /// The version that `--version` prints.
    static let version = "0.1.0"

    /// All subcommands, in the order of the help text.
    static let subcommands: [any Subcommand.Type] = [
        EvaluateCommand.self,
        ValidateCommand.self,
        ServeCommand.self,
        WatchCommand.self,
        DemoCommand.self,
    ]

    /// Runs a command line.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the command's name.
    ///   - console: Where output goes.
    /// - Returns: What the process should exit with.
    static func run(_ arguments: [String], console: Console) async -> CommandStatus {
        guard let first = arguments.first else {
            console.complain(HelpText.overview(subcommands))
            return .usage
        }
        switch first {
        case "--version", "version":
            console.print("flagstaff \(version)")
            return .success
        case "--help", "-h", "help":
            return help(Array(arguments.dropFirst()), console)
        default:
            break
        }
        guard let subcommand = subcommand(first) else { return complain(about: first, console) }
        do throws(UsageError) {
            let parsed = try ArgumentParser.parse(Array(arguments.dropFirst()), for: subcommand.specification)
            if parsed.asksForHelp {
                console.print(HelpText.text(for: subcommand.specification))
                return .success
            }
            let status = await (try subcommand.init(parsed)).run(console)
            if status == .success, console.hasFailed() {
                console.complain("flagstaff \(first): the output could not be written")
                return .outputFailed
            }
            return status
        } catch {
            console.complain("flagstaff \(first): \(error.message)")
            console.complain("Run 'flagstaff \(first) --help' for how it is used.")
            return .usage
        }
    }

    private static func subcommand(_ name: String) -> (any Subcommand.Type)? {
        subcommands.first { $0.specification.name == name }
    }

    private static func help(_ arguments: [String], _ console: Console) -> CommandStatus {
        guard let name = arguments.first else {
            console.print(HelpText.overview(subcommands))
            return .success
        }
        guard let subcommand = subcommand(name) else { return complain(about: name, console) }
        console.print(HelpText.text(for: subcommand.specification))
        return .success
    }

    private static func complain(about name: String, _ console: Console) -> CommandStatus {
        let kind = name.hasPrefix("-") ? "option" : "subcommand"
        let hint = Suggestion.closest(to: name, among: subcommands.map { $0.specification.name })
        console.complain("flagstaff: there is no \(kind) '\(name)'" + Suggestion.question(hint))
        console.complain("Run 'flagstaff --help' for what there is.")
        return .usage
    }
}
