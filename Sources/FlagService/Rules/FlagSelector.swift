package import FlagEvaluation

/// Which flags a request asks for: the header `Flagd-Selector`.
package struct FlagSelector: Hashable, Sendable {
    /// What is asked for.
    package enum Choice: Hashable, Sendable {
        /// All flags; of several with one key the one that ``Ruleset/flag(_:)`` names.
        case all
        /// The flags of one flag set; `nil` names those without a set.
        case flagSet(String?)
        /// The flags of two flag sets or more, in their order; of several with one key the first set's.
        case flagSets([String?])
        /// Nothing: a source that this service does not have.
        case nothing
    }

    package var choice: Choice

    /// Selects all flags.
    package static let all = FlagSelector(choice: .all)

    /// Why a selector was refused.
    package struct Refusal: Error, Hashable, Sendable {
        package var details: String
    }

    /// Makes a selector.
    package init(choice: Choice) {
        self.choice = choice
    }

    /// Reads the header: `flagSetId=NAME`, `flagSetId=` (flags without a set), `flagSetId=NAME,NAME` (several sets),
    /// `source=NAME` or a bare source name.
    ///
    /// No header, or an empty one, selects all flags. The same sets in another order, or named twice, are one selector.
    ///
    /// - Parameters:
    ///   - header: The header's value.
    ///   - sourceName: What this service's source is called.
    /// - Throws: ``Refusal`` for a selector of any other form.
    package init(header: String?, sourceName: String) throws(Refusal) {
        guard let header, !header.isEmpty else {
            choice = .all
            return
        }
        guard let equals = header.firstIndex(of: "=") else {
            choice = header == sourceName ? .all : .nothing
            return
        }
        let value = String(header[header.index(after: equals)...])
        switch header[..<equals] {
        case "flagSetId": choice = Self.flagSets(value)
        case "source": choice = value == sourceName ? .all : .nothing
        default:
            throw Refusal(details: "invalid selector: use flagSetId=NAME, flagSetId=NAME,NAME or source=NAME")
        }
    }

    /// The selected flags, in the order of the rules.
    package func flags(of rules: Ruleset) -> [CompiledFlag] {
        switch choice {
        case .all: rules.flags.filter { rules.flag($0.key) === $0 }
        case .flagSet(let name): Array(rules.flags(inSet: name))
        case .flagSets(let names): Self.flags(of: rules, inSets: names)
        case .nothing: []
        }
    }

    /// The selected flag of a key.
    package func flag(_ key: String, of rules: Ruleset) -> CompiledFlag? {
        switch choice {
        case .all: rules.flag(key)
        case .flagSet(let name): rules.flag(key, inSet: name)
        case .flagSets(let names): names.lazy.compactMap { rules.flag(key, inSet: $0) }.first
        case .nothing: nil
        }
    }

    /// Reads the names of sets: in the order in which the rules have them, flags without a set first.
    private static func flagSets(_ value: String) -> Choice {
        guard value.utf8.contains(UInt8(ascii: ",")) else { return .flagSet(value.isEmpty ? nil : value) }
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        let names = value.split(separator: ",", omittingEmptySubsequences: false).map { part in
            String(part.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        }
        let sorted = Set(names).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let sets = sorted.map { $0.isEmpty ? nil : $0 }
        return sets.count == 1 ? .flagSet(sets[0]) : .flagSets(sets)
    }

    private static func flags(of rules: Ruleset, inSets names: [String?]) -> [CompiledFlag] {
        // By bytes: as strings, two keys that differ only in Unicode normalization would be one.
        var seen: Set<[UInt8]> = []
        return names.flatMap { rules.flags(inSet: $0) }.filter { seen.insert(Array($0.key.utf8)).inserted }
    }
}
