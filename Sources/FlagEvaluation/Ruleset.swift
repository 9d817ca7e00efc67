package import FlagModel

/// A flag definition, read and compiled: immutable, to be shared between threads.
package final class Ruleset: Sendable {
    /// What should be corrected: first what concerns the whole definition, then by flag.
    package let problems: [DefinitionProblem]
    /// All flags, also those that cannot be evaluated: first those without a flag set, then by flag set, then
    /// by key (in the order of UTF-8 bytes).
    package let flags: [CompiledFlag]
    /// The metadata of the whole definition: strings, numbers and Booleans.
    package let metadata: [String: FlagValue]
    /// A digest of the whole content, the same in every process; the order of names does not count.
    package let fingerprint: Fingerprint
    /// Whether any flag's result can change with time alone.
    package let hasTimeDependentFlags: Bool

    private let positionsBySet: [String?: Range<Int>]
    private let positionsByKey: [String: [Int]]

    /// Reads a flag definition in flagd's JSON format.
    ///
    /// - Parameters:
    ///   - bytes: The JSON text.
    ///   - options: How definitions are read and evaluated.
    /// - Throws: ``DefinitionError`` when the bytes are not JSON or have no usable `flags`; a fault in a single flag
    ///   costs that flag alone and is listed in ``problems``.
    package convenience init(
        parsing bytes: [UInt8], options: EvaluationOptions = EvaluationOptions()
    ) throws(DefinitionError) {
        let bytes = DepthLimiter.limit(bytes)
        let definition: FlagValue
        do throws(JSONError) {
            let limits = JSONParser.Limits(depth: DepthLimiter.definitionDepth)
            definition = try JSONParser.parse(bytes, limits: limits)
        } catch {
            throw .notJSON(error)
        }
        try self.init(definition, options, duplicates: DuplicateNameScanner.problems(in: bytes))
    }

    /// Compiles a flag definition that has been read already.
    ///
    /// - Parameters:
    ///   - definition: The definition.
    ///   - options: How definitions are read and evaluated.
    /// - Throws: ``DefinitionError`` when the value has no usable `flags`.
    package convenience init(
        definition: FlagValue, options: EvaluationOptions = EvaluationOptions()
    ) throws(DefinitionError) {
        try self.init(definition, options, duplicates: [])
    }

    private init(
        _ definition: FlagValue, _ options: EvaluationOptions, duplicates: [DefinitionProblem]
    ) throws(DefinitionError) {
        let reader = try DefinitionReader.read(definition, options)
        problems = duplicates + reader.problems
        metadata = reader.metadata
        flags = reader.flags.sorted(by: CompiledFlag.areInOrder)
        hasTimeDependentFlags = flags.contains { $0.dependsOnTime }
        // The scheme of `fractional` changes results as the content does.
        fingerprint = Fingerprint(of: definition).combined(with: Fingerprint(of: options.fractional.rawValue))

        var positionsBySet: [String?: Range<Int>] = [:]
        var positionsByKey: [String: [Int]] = [:]
        for (position, flag) in flags.enumerated() {
            let start = positionsBySet[flag.flagSetID]?.lowerBound ?? position
            positionsBySet[flag.flagSetID] = start..<position + 1
            positionsByKey[flag.key, default: []].append(position)
        }
        self.positionsBySet = positionsBySet
        self.positionsByKey = positionsByKey
    }

    /// The flag of that key: the one without a flag set if there is one, else that of the first flag set by
    /// name.
    package func flag(_ key: String) -> CompiledFlag? {
        positionsByKey[key]?.lazy.map { self.flags[$0] }.first { $0.key.utf8.elementsEqual(key.utf8) }
    }

    /// The flag of that key in one flag set; `nil` names the flags without a set.
    package func flag(_ key: String, inSet flagSetID: String?) -> CompiledFlag? {
        positionsByKey[key]?.lazy.map { self.flags[$0] }
            .first { $0.flagSetID == flagSetID && $0.key.utf8.elementsEqual(key.utf8) }
    }

    /// The flags of one flag set by key; `nil` names the flags without a set.
    package func flags(inSet flagSetID: String?) -> ArraySlice<CompiledFlag> {
        flags[positionsBySet[flagSetID] ?? 0..<0]
    }

    /// Evaluates the flag of that key in any set; a key that is not defined resolves to `FLAG_NOT_FOUND`.
    package func resolution(of key: String, for context: EvaluationContext) -> FlagResolution {
        guard let flag = flag(key) else {
            return FlagResolution(
                key: key, reason: .error, errorCode: .flagNotFound,
                errorDetails: "there is no flag \"\(key)\"",
                metadata: metadata)
        }
        return flag.resolution(for: flag.evaluate(context))
    }
}

extension CompiledFlag {
    /// First those without a flag set, then by flag set, then by key.
    fileprivate static func areInOrder(_ left: CompiledFlag, _ right: CompiledFlag) -> Bool {
        let sets = (left.flagSetID ?? "", right.flagSetID ?? "")
        if !sets.0.utf8.elementsEqual(sets.1.utf8) {
            return sets.0.utf8.lexicographicallyPrecedes(sets.1.utf8)
        }
        return left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
    }
}
