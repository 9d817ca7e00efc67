/// Which flags are asked for.
public struct EvaluationFilters: Hashable, Sendable {
    /// The flag sets to ask for; empty for all flags.
    public let flagSets: [String]
    /// The flags to keep of those, by name; empty for all.
    public let flagNames: [String]

    /// Makes filters.
    ///
    /// - Parameters:
    ///   - flagSets: The flag sets to ask for. Default: all flags.
    ///   - flagNames: The flags to keep, by name. Default: all.
    public init(flagSets: [String] = [], flagNames: [String] = []) {
        self.flagSets = flagSets
        self.flagNames = flagNames
    }
}

/// Flag sets as they are compared: trimmed, in lower case, each once.
enum FlagSetNames {
    /// Takes the names that can be some.
    ///
    /// - Returns: What is taken, in the order of its first place, and what is dropped.
    static func check(_ names: [String]) -> (taken: [String], dropped: [String]) {
        var taken: [String] = []
        var dropped: [String] = []
        for name in names {
            let normal = name.trimmed.lowercased()
            if normal.isEmpty || normal.count > 50 || normal.contains(where: { $0 == "," || $0.isWhitespace })
            {
                dropped.append(name)
            } else if !taken.contains(normal) {
                taken.append(normal)
            }
        }
        return (taken, dropped)
    }
}

extension String {
    /// Without white space around it.
    var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
