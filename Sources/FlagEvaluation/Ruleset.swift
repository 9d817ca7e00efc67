package import FlagModel

/// A flag definition, read and compiled: immutable, to be shared between threads.
package final class Ruleset: Sendable {
    /// What should be corrected, in the order of the flags' keys.
    package let problems: [DefinitionProblem]
    /// All flags, also those that cannot be evaluated: first those without a flag set, then by flag set, then by key
    /// (in the order of UTF-8 bytes).
    package let flags: [CompiledFlag]
    /// The metadata of the whole definition: strings, numbers and Booleans.
    package let metadata: [String: FlagValue]
    /// A digest of the whole content, the same in every process; the order of names does not count.
    package let fingerprint: Fingerprint
    /// Whether any flag's result can change with time alone.
    package let hasTimeDependentFlags: Bool

    /// Reads a flag definition in flagd's JSON format.
    ///
    /// - Throws: ``DefinitionError`` when the bytes are not JSON or have no usable `flags`; a fault in a single flag
    ///   costs that flag alone and is listed in ``problems``.
    package convenience init(
        parsing bytes: [UInt8], options: EvaluationOptions = EvaluationOptions()
    ) throws(DefinitionError) {
        let definition: FlagValue
        do throws(JSONError) {
            definition = try JSONParser.parse(bytes)
        } catch {
            throw .notJSON(error)
        }
        try self.init(definition: definition, options: options)
    }

    /// Compiles a flag definition that has been read already.
    ///
    /// - Throws: ``DefinitionError`` when the value has no usable `flags`.
    package init(
        definition: FlagValue, options: EvaluationOptions = EvaluationOptions()
    ) throws(DefinitionError) {
        problems = []
        flags = []
        metadata = [:]
        fingerprint = Fingerprint(of: definition)
        hasTimeDependentFlags = false
    }

    /// The flag of that key: the one without a flag set if there is one, else that of the first flag set by name.
    package func flag(_ key: String) -> CompiledFlag? { nil }

    /// The flag of that key in one flag set; `nil` names the flags without a set.
    package func flag(_ key: String, inSet flagSetID: String?) -> CompiledFlag? { nil }

    /// The flags of one flag set by key; `nil` names the flags without a set.
    package func flags(inSet flagSetID: String?) -> ArraySlice<CompiledFlag> { flags[...] }

    /// Evaluates the flag of that key in any set; a key that is not defined resolves to `FLAG_NOT_FOUND`.
    package func resolution(of key: String, for context: EvaluationContext) -> FlagResolution {
        FlagResolution(key: key, reason: .error, errorCode: .flagNotFound)
    }
}
