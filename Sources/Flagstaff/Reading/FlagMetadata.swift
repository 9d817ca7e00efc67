import FlagModel

/// The names in a flag's metadata that mean something to reads.
enum FlagMetadata {
    /// The flag's version as text: `version`, else `flagVersion`; `nil` where there is neither.
    static func version(in metadata: [String: FlagValue]) -> String? {
        for name in ["version", "flagVersion"] {
            switch metadata[name] {
            case .string(let text) where !text.isEmpty: return text
            case .int(let number): return String(number)
            case .double(let number): return FlagValue.double(number).jsonText
            default: continue
            }
        }
        return nil
    }

    /// The sets that the flag belongs to, sorted: `flagSetId` and what `flagSets` lists with commas between.
    ///
    /// - Parameters:
    ///   - metadata: The flag's metadata.
    ///   - common: The metadata of all flags, whose set a flag belongs to that names none.
    static func flagSets(in metadata: [String: FlagValue], common: [String: FlagValue]) -> [String] {
        let own = names(in: metadata)
        return own.isEmpty ? names(in: common) : own
    }

    private static func names(in metadata: [String: FlagValue]) -> [String] {
        var names: Set<String> = []
        if let name = metadata["flagSetId"]?.stringValue, !name.isEmpty { names.insert(name) }
        for part in metadata["flagSets"]?.stringValue?.split(separator: ",") ?? [] {
            let name = part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            if !name.isEmpty { names.insert(String(name)) }
        }
        return names.sorted()
    }
}
