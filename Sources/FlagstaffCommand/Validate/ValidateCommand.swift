import FlagEvaluation
import FlagModel

/// `flagstaff validate`: what is wrong with a flag file.
struct ValidateCommand: Subcommand {
    static let specification = CommandSpecification(
        name: "validate",
        summary: "List every problem of a flag file, with its place.",
        usage: ["validate FILE [--json]"],
        discussion: """
            The file is a flag definition in flagd's JSON format. Warnings are listed too, but do not count.

            Exit status:
              0   no problems
              1   problems, or the file is not JSON
              2   the file cannot be read
              64  the command line is wrong
            """,
        positionals: [.init("FILE", "The flag file, or - for standard input.")],
        options: [.init("json", "Print a JSON object a line: severity, path, message, flag.")])

    private let path: String
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let path = arguments.positionals.first else { throw UsageError("the FILE is missing") }
        self.path = path
        printsJSON = arguments.has("json")
    }

    func run(_ console: Console) async -> CommandStatus {
        let bytes: [UInt8]
        do throws(InputFile.Failure) {
            bytes = try InputFile.contents(of: path)
        } catch {
            console.complain("flagstaff validate: \(error.message)")
            return .unreadable
        }
        let name = path == "-" ? "standard input" : path
        do throws(DefinitionError) {
            let ruleset = try Ruleset(parsing: bytes)
            return report(ruleset.problems, "\(name): \(Self.count(ruleset.flags.count, "flag"))", console)
        } catch {
            return report([problem(for: error)], name, console)
        }
    }

    private func problem(for error: DefinitionError) -> DefinitionProblem {
        switch error {
        case .notADefinition(let problem):
            return problem
        case .notJSON(let error):
            let isYAML = path.hasSuffix(".yaml") || path.hasSuffix(".yml")
            let hint = isYAML ? "; YAML has to be converted to JSON first" : ""
            return DefinitionProblem(
                path: "line \(error.line), column \(error.column)", message: error.message + hint)
        }
    }

    private func report(_ problems: [DefinitionProblem], _ subject: String, _ console: Console)
        -> CommandStatus
    {
        for problem in problems {
            console.print(printsJSON ? Self.json(problem) : "\(problem.severity.rawValue): \(problem)")
        }
        let errors = problems.filter { $0.severity == .error }.count
        let warnings = problems.count - errors
        if !printsJSON {
            let verdict = errors == 0 ? "no problems" : Self.count(errors, "problem")
            let addition = warnings == 0 ? "" : ", \(Self.count(warnings, "warning"))"
            console.print("\(subject), \(verdict)\(addition)")
        }
        return errors == 0 ? .success : .failure
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    private static func json(_ problem: DefinitionProblem) -> String {
        var members: [String: FlagValue] = [
            "severity": .string(problem.severity.rawValue), "path": .string(problem.path),
            "message": .string(problem.message),
        ]
        members["flag"] = problem.flagKey.map { .string($0) }
        return FlagValue.object(members).jsonText
    }
}
