import FlagEvaluation
import FlagModel
import Foundation

/// `flagstaff evaluate`: what a flag resolves to, without a service.
struct EvaluateCommand: Subcommand {
    static let specification = CommandSpecification(
        name: "evaluate",
        summary: "Evaluate a flag of a file for a context, or many cases.",
        usage: [
            "evaluate FILE KEY [--context JSON] [--now SECONDS] [--fractional SCHEME] [--json]",
            "evaluate --cases FILE [--now SECONDS] [--fractional SCHEME]",
        ],
        discussion: """
            A line of cases is {"flags": DEFINITION, "key": KEY, "context": {…}, "now": SECONDS}; the last two can be
            left out. For each line one is printed: {"value": …, "variant": …, "reason": …, "errorCode": …}, without
            what is absent. A line that is no case is answered with an errorCode and errorDetails.

            Example:
              flagstaff evaluate flags.json new-checkout --context '{"targetingKey": "user-123", "plan": "pro"}'

            Exit status:
              0   evaluated (with --cases: all lines were cases)
              1   the flag could not be evaluated (with --cases: a line was no case)
              2   the file cannot be read or is no flag definition
              64  the command line is wrong
            """,
        positionals: [
            .init("FILE", "The flag file in flagd's JSON format, or - for standard input."),
            .init("KEY", "The flag's key."),
        ],
        options: [
            .init("context", value: "JSON", "The context as a JSON object. Default: {}"),
            .init("cases", value: "FILE", "Evaluate the cases in a file, one a line; - for standard input."),
            .init("now", value: "SECONDS", "The time that rules see, in seconds since 1970. Default: now"),
            .init("fractional", value: "SCHEME", "How fractional picks buckets: v3 or v2. Default: v3"),
            .init("json", "Print one JSON object."),
        ])

    private enum Work {
        case flag(file: String, key: String, context: [String: FlagValue], printsJSON: Bool)
        case cases(file: String)
    }

    private let work: Work
    private let now: Int64
    private let options: EvaluationOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        now = try arguments.integer("now") ?? Int64(Date().timeIntervalSince1970)
        options = EvaluationOptions(fractional: try Self.scheme(arguments.value("fractional")))
        if let file = arguments.value("cases") {
            guard arguments.positionals.isEmpty, !arguments.has("context"), !arguments.has("json") else {
                throw UsageError(
                    "--cases takes flags, keys and contexts from its file; leave FILE, KEY, "
                        + "--context and --json out")
            }
            work = .cases(file: file)
            return
        }
        guard arguments.positionals.count == 2 else {
            throw UsageError("a FILE and a KEY are needed, or --cases FILE")
        }
        work = .flag(
            file: arguments.positionals[0], key: arguments.positionals[1],
            context: try Self.context(arguments.value("context")), printsJSON: arguments.has("json"))
    }

    static func scheme(_ text: String?) throws(UsageError) -> FractionalScheme {
        guard let text else { return .v3 }
        guard let scheme = FractionalScheme(rawValue: text) else {
            throw UsageError("--fractional is v2 or v3, not '\(text)'")
        }
        return scheme
    }

    static func context(_ text: String?) throws(UsageError) -> [String: FlagValue] {
        guard let text else { return [:] }
        do throws(JSONError) {
            if let members = try JSONParser.parse(text).objectValue { return members }
        } catch {
            throw UsageError("--context is not JSON: \(error)")
        }
        throw UsageError("--context needs a JSON object, such as '{\"targetingKey\": \"user-123\"}'")
    }

    func run(_ console: Console) async -> CommandStatus {
        switch work {
        case .flag(let file, let key, let context, let printsJSON):
            return evaluate(key, of: file, context, printsJSON: printsJSON, console)
        case .cases(let file):
            do throws(InputFile.Failure) {
                return try CaseEvaluator(options: options, defaultNow: now).run(file, console)
            } catch {
                console.complain("flagstaff evaluate: \(error.message)")
                return .unreadable
            }
        }
    }

    private func evaluate(
        _ key: String, of file: String, _ context: [String: FlagValue], printsJSON: Bool, _ console: Console
    ) -> CommandStatus {
        let ruleset: Ruleset
        do {
            ruleset = try Ruleset(parsing: InputFile.contents(of: file), options: options)
        } catch let error as InputFile.Failure {
            console.complain("flagstaff evaluate: \(error.message)")
            return .unreadable
        } catch {
            console.complain("flagstaff evaluate: \(file) is no flag definition: \(error)")
            return .unreadable
        }
        let resolution = ruleset.resolution(of: key, for: EvaluationContext(attributes: context, now: now))
        if printsJSON {
            console.print(String(decoding: ResolutionText.json(resolution), as: UTF8.self))
        } else if resolution.errorCode == nil {
            console.print(ResolutionText.table(resolution))
        } else {
            let hint =
                resolution.errorCode == .flagNotFound
                ? Suggestion.question(Suggestion.closest(to: key, among: ruleset.flags.map(\.key))) : ""
            console.complain("flagstaff evaluate: \(ResolutionText.fault(resolution))\(hint)")
        }
        return resolution.errorCode == nil ? .success : .failure
    }
}
