/// Sorts the arguments of a subcommand: `--name value`, `--name=value`, `-n value`, and the others by their
/// place.
///
/// After `--` every argument counts by its place; `-` by itself always does.
struct ArgumentParser {
    private let specification: CommandSpecification
    private var remaining: ArraySlice<String>
    private var parsed = ParsedArguments()
    /// The first argument that has no place; it matters only to one who does not ask for help.
    private var surplus: String?

    /// Sorts arguments.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the subcommand's name.
    ///   - specification: Which arguments there are.
    /// - Returns: The arguments; incomplete when they ask for help.
    /// - Throws: ``UsageError`` for an unknown option, a missing or superfluous value.
    static func parse(
        _ arguments: [String], for specification: CommandSpecification
    ) throws(UsageError) -> ParsedArguments {
        var parser = ArgumentParser(specification, arguments)
        try parser.parse()
        if let surplus = parser.surplus, !parser.parsed.asksForHelp {
            throw UsageError("there is an argument too many: '\(surplus)'")
        }
        return parser.parsed
    }

    private init(_ specification: CommandSpecification, _ arguments: [String]) {
        self.specification = specification
        remaining = arguments[...]
    }

    private mutating func parse() throws(UsageError) {
        while let argument = remaining.popFirst() {
            if argument == "--" {
                for argument in remaining { add(positional: argument) }
                return
            }
            if argument == "--help" || argument == "-h" {
                parsed.asksForHelp = true
                return
            }
            if argument.hasPrefix("--") {
                try parseLong(argument)
            } else if argument.hasPrefix("-"), argument.count > 1 {
                try parseShort(argument)
            } else {
                add(positional: argument)
            }
        }
    }

    private mutating func add(positional argument: String) {
        if parsed.positionals.count < specification.positionals.count {
            parsed.positionals.append(argument)
        } else {
            surplus = surplus ?? argument
        }
    }

    private mutating func parseLong(_ argument: String) throws(UsageError) {
        let parts = argument.dropFirst(2).split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        guard let option = specification.options.first(where: { $0.name == name }) else {
            let hint = Suggestion.closest(to: name, among: specification.options.map(\.name) + ["help"])
            throw UsageError("there is no option '--\(name)'" + Suggestion.question(hint.map { "--\($0)" }))
        }
        try add(option, attachedValue: parts.count > 1 ? String(parts[1]) : nil)
    }

    private mutating func parseShort(_ argument: String) throws(UsageError) {
        let letter = argument.dropFirst().first
        guard let option = specification.options.first(where: { $0.letter != nil && $0.letter == letter })
        else {
            throw UsageError("there is no option '\(argument)'")
        }
        let rest = argument.dropFirst(2)
        if option.valueName == nil, !rest.isEmpty { throw UsageError("there is no option '\(argument)'") }
        try add(option, attachedValue: rest.isEmpty ? nil : String(rest))
    }

    private mutating func add(
        _ option: CommandSpecification.Option, attachedValue: String?
    ) throws(UsageError) {
        if parsed.has(option.name), !option.repeats {
            throw UsageError("--\(option.name) is given more than once")
        }
        guard let valueName = option.valueName else {
            if attachedValue != nil { throw UsageError("--\(option.name) takes no value") }
            parsed.values[option.name, default: []].append("")
            return
        }
        if let attachedValue {
            parsed.values[option.name, default: []].append(attachedValue)
            return
        }
        guard let value = remaining.first, !value.hasPrefix("--") else {
            throw UsageError("--\(option.name) needs a value: --\(option.name) \(valueName)")
        }
        remaining.removeFirst()
        parsed.values[option.name, default: []].append(value)
    }
}
