/// What `--help` prints.
enum HelpText {
    /// The help of the command itself.
    static func overview(_ subcommands: [any Subcommand.Type]) -> String {
        let rows = subcommands.map { ($0.specification.name, $0.specification.summary) }
        return """
            flagstaff: feature flags, end to end

            Usage: flagstaff SUBCOMMAND [arguments]

            Subcommands:
            \(table(rows))

            Options:
            \(table([("--help, -h", "Show this help."), ("--version", "Show the version.")]))

            Run 'flagstaff SUBCOMMAND --help' for the arguments of a subcommand.
            """
    }

    /// The help of one subcommand.
    static func text(for specification: CommandSpecification) -> String {
        var sections = [specification.summary]
        let usage = specification.usage.map { "  flagstaff \($0)" }.joined(separator: "\n")
        sections.append("Usage:\n\(usage)")
        if !specification.positionals.isEmpty {
            sections.append("Arguments:\n" + table(specification.positionals.map { ($0.name, $0.summary) }))
        }
        let options =
            specification.options.map { (label($0), $0.summary) } + [("--help, -h", "Show this help.")]
        sections.append("Options:\n" + table(options))
        if !specification.discussion.isEmpty { sections.append(specification.discussion) }
        return sections.joined(separator: "\n\n")
    }

    private static func label(_ option: CommandSpecification.Option) -> String {
        let letter = option.letter.map { ", -\($0)" } ?? ""
        let value = option.valueName.map { " \($0)" } ?? ""
        return "--\(option.name)\(letter)\(value)"
    }

    /// Two columns; lines of the second are aligned.
    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        let indentation = String(repeating: " ", count: width + 4)
        return rows.map { name, summary in
            let padding = String(repeating: " ", count: width - name.count)
            let lines = summary.split(separator: "\n", omittingEmptySubsequences: false)
            return "  \(name)\(padding)  " + lines.joined(separator: "\n" + indentation)
        }.joined(separator: "\n")
    }
}
