/// What a subcommand is called, what it does and which arguments it takes.
struct CommandSpecification: Sendable {
    /// An argument that is known by its place.
    struct Positional: Sendable {
        /// Its name in capitals, as help shows it.
        let name: String
        /// What it is.
        let summary: String

        init(_ name: String, _ summary: String) {
            self.name = name
            self.summary = summary
        }
    }

    /// An argument that is known by its name.
    struct Option: Sendable {
        /// Its name without dashes.
        let name: String
        /// A letter that can stand for it.
        let letter: Character?
        /// What its value is, in capitals as help shows it; `nil` when the option stands for itself.
        let valueName: String?
        /// What it does, with its default.
        let summary: String
        /// Whether it may be given more than once.
        let repeats: Bool

        init(
            _ name: String, letter: Character? = nil, value valueName: String? = nil, _ summary: String,
            repeats: Bool = false
        ) {
            self.name = name
            self.letter = letter
            self.valueName = valueName
            self.summary = summary
            self.repeats = repeats
        }
    }

    /// The word that selects the subcommand.
    let name: String
    /// What it does, in one line.
    let summary: String
    /// The ways to call it, without the command's name: `evaluate FILE KEY [options]`.
    let usage: [String]
    /// What else there is to say: examples, exit statuses.
    var discussion = ""
    /// The arguments known by their place; how many are needed is for the subcommand to say.
    var positionals: [Positional] = []
    /// The arguments known by their names.
    ///
    /// `--help` is always there.
    var options: [Option] = []
}
