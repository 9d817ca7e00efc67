package import FlagEvaluation

/// Which flags a request asks for: the header `Flagd-Selector`.
package struct FlagSelector: Hashable, Sendable {
    /// What is asked for.
    package enum Choice: Hashable, Sendable {
        /// All flags; of several with one key the one that ``Ruleset/flag(_:)`` names.
        case all
        /// The flags of one flag set; `nil` names those without a set.
        case flagSet(String?)
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

    /// Reads the header: `flagSetId=NAME`, `flagSetId=` (flags without a set), `source=NAME` or a bare source
    /// name.
    ///
    /// No header, or an empty one, selects all flags.
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
        case "flagSetId": choice = .flagSet(value.isEmpty ? nil : value)
        case "source": choice = value == sourceName ? .all : .nothing
        default: throw Refusal(details: "invalid selector: use flagSetId=NAME or source=NAME")
        }
    }

    /// The selected flags, in the order of the rules.
    package func flags(of rules: Ruleset) -> [CompiledFlag] {
        switch choice {
        case .all: rules.flags.filter { rules.flag($0.key) === $0 }
        case .flagSet(let name): Array(rules.flags(inSet: name))
        case .nothing: []
        }
    }

    /// The selected flag of a key.
    package func flag(_ key: String, of rules: Ruleset) -> CompiledFlag? {
        switch choice {
        case .all: rules.flag(key)
        case .flagSet(let name): rules.flag(key, inSet: name)
        case .nothing: nil
        }
    }
}
