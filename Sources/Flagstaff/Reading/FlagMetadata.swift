import FlagModel

/// The names in a flag's metadata that mean something to reads.
enum FlagMetadata {
    /// The flag's version as text: `version`, else `flagVersion`; `nil` where there is neither.
    static func version(in metadata: [String: FlagValue]) -> String? {
        if metadata.isEmpty { return nil }
        return text(metadata["version"]) ?? text(metadata["flagVersion"])
    }

    private static func text(_ value: FlagValue?) -> String? {
        switch value {
        case .string(let text): text.isEmpty ? nil : text
        case .int(let number): String(number)
        case .double(let number): FlagValue.double(number).jsonText
        default: nil
        }
    }

    /// The sets that the flag belongs to, sorted: `flagSetId` and what `flagSets` lists with commas between.
    ///
    /// - Parameters:
    ///   - metadata: The flag's metadata.
    ///   - common: The metadata of all flags, whose set a flag belongs to that names none.
    /// - Returns: The names, each once.
    static func flagSets(in metadata: [String: FlagValue], common: [String: FlagValue]) -> [String] {
        let own = names(in: metadata)
        return own.isEmpty ? names(in: common) : own
    }

    private static func names(in metadata: [String: FlagValue]) -> [String] {
        if metadata.isEmpty { return [] }
        var names: Set<String> = []
        if let name = metadata["flagSetId"]?.stringValue, !name.isEmpty { names.insert(name) }
        for part in metadata["flagSets"]?.stringValue?.split(separator: ",") ?? [] {
            let name = part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            if !name.isEmpty { names.insert(String(name)) }
        }
        return names.sorted()
    }
}
