import FlagModel

/// Reads a flag definition: what is usable becomes flags, what is not becomes problems.
struct DefinitionReader {
    private(set) var problems: [DefinitionProblem] = []
    private(set) var flags: [CompiledFlag] = []
    private(set) var metadata: [String: FlagValue] = [:]

    let options: EvaluationOptions
    /// The definition's evaluators by name.
    private var evaluators: [String: FlagValue] = [:]
    private var expander: ReferenceExpander
    /// How much the rules still to come may have in total.
    private var remainingSize: Int

    private init(_ options: EvaluationOptions) {
        self.options = options
        expander = ReferenceExpander(evaluators: [:], limits: options.limits)
        remainingSize = options.limits.totalRuleSize
    }

    /// Reads a definition.
    ///
    /// - Throws: ``DefinitionError`` when there are no usable `flags` at all.
    static func read(
        _ definition: FlagValue, _ options: EvaluationOptions
    ) throws(DefinitionError) -> DefinitionReader {
        guard case .object(let members) = definition else {
            throw refusal(
                .root, "expected an object with a member \"flags\", found \(definition.kindWithArticle)")
        }
        let path = JSONPath.root.member("flags")
        guard let flags = members["flags"] else {
            throw refusal(path, "there is no member \"flags\"; a flag definition needs one")
        }

        var reader = DefinitionReader(options)
        if let value = members["metadata"] {
            reader.metadata = reader.readMetadata(value, JSONPath.root.member("metadata"), flagKey: nil)
        }
        if let value = members["$evaluators"] { reader.readEvaluators(value) }
        switch flags {
        case .object(let flags):
            for (key, flag) in flags.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                reader.readFlag(key, flag, path.member(key))
            }
        case .array(let flags):
            reader.readFlags(flags, path)
        case .null, .bool, .int, .double, .string:
            throw refusal(
                path, "expected an object of flags or a list of flags, found \(flags.kindWithArticle)")
        }
        return reader
    }

    private static func refusal(_ path: JSONPath, _ message: String) -> DefinitionError {
        .notADefinition(DefinitionProblem(path: path.description, message: message))
    }

    // MARK: Parts of the whole

    /// Checks metadata, and keeps what is usable of it.
    mutating func readMetadata(_ value: FlagValue, _ path: JSONPath, flagKey: String?) -> [String: FlagValue]
    {
        guard case .object(let members) = value else {
            note(path, "expected an object, found \(value.kindWithArticle)", flagKey: flagKey)
            return [:]
        }
        var usable: [String: FlagValue] = [:]
        for (name, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            switch value {
            case .string:
                usable[name] = value
            case .bool, .int, .double:
                if name == "flagSetId" || name == "version" {
                    note(
                        path.member(name), "expected a string, found \(value.kindWithArticle)",
                        flagKey: flagKey)
                }
                usable[name] = value
            case .null, .array, .object:
                let message = "expected a string, a number or a Boolean, found \(value.kindWithArticle)"
                note(path.member(name), message, flagKey: flagKey)
            }
        }
        return usable
    }

    private mutating func readEvaluators(_ value: FlagValue) {
        let path = JSONPath.root.member("$evaluators")
        guard case .object(let members) = value else {
            note(path, "expected an object of rules, found \(value.kindWithArticle)", flagKey: nil)
            return
        }
        evaluators = members
        expander = ReferenceExpander(evaluators: members, limits: options.limits)
        for (name, rule) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            var checker = RuleChecker(evaluators: nil, limits: options.limits)
            checker.check(rule, path.member(name))
            problems += checker.problems
        }
    }

    /// The form with a list: each flag names its key.
    private mutating func readFlags(_ flags: [FlagValue], _ path: JSONPath) {
        var paths: [String: JSONPath] = [:]
        var keyed: [(key: String, flag: FlagValue, path: JSONPath)] = []
        for (index, flag) in flags.enumerated() {
            let path = path.element(index)
            guard case .object(let members) = flag else {
                note(path, "expected an object, found \(flag.kindWithArticle)", flagKey: nil)
                continue
            }
            guard let key = members["key"]?.stringValue else {
                note(path.member("key"), "a flag in a list needs its key here, as a string", flagKey: nil)
                continue
            }
            keyed.append((key, flag, path))
        }
        for (key, flag, path) in keyed {
            let read = readFlag(key, flag, path)
            let identity = "\(read.flagSetID ?? "")\u{0}\(key)"
            if let former = paths.updateValue(path, forKey: identity) {
                note(
                    former, "the flag \"\(key)\" is defined again at \(path), which takes its place",
                    flagKey: key)
                removeFlag(replacedBy: read)
            }
        }
    }

    /// Removes the older one of two flags of one identity.
    private mutating func removeFlag(replacedBy newer: CompiledFlag) {
        let position = flags.firstIndex {
            $0.key == newer.key && $0.flagSetID == newer.flagSetID && $0 !== newer
        }
        if let position { flags.remove(at: position) }
    }

    // MARK: Flags

    @discardableResult
    private mutating func readFlag(_ key: String, _ value: FlagValue, _ path: JSONPath) -> CompiledFlag {
        var flag = FlagDefinition(key: key, definition: value)
        flag.metadata = metadata
        flag.fault = readMembers(of: value, into: &flag, path)

        var rule: (rule: CompiledRule, variants: Term)?
        if flag.fault == nil, flag.isEnabled, let targeting = flag.targeting {
            do throws(RuleCompiler.Fault) {
                let compiled = try RuleCompiler.compile(
                    targeting, flagKey: key, variants: flag.variants.map(\.name), options: options)
                remainingSize -= compiled.size
                if remainingSize < 0 { throw .tooLarge }
                rule = (compiled.rule, compiled.variants)
            } catch {
                let message = self.message(for: error)
                flag.fault = note(path.member("targeting"), message, flagKey: key, disablesFlag: true)
            }
        }
        let compiled = CompiledFlag(flag, rule: rule, options: options)
        flags.append(compiled)
        return compiled
    }

    private func message(for fault: RuleCompiler.Fault) -> String {
        switch fault {
        case .tooDeep:
            "it nests deeper than \(options.limits.ruleDepth) levels; break it up"
        case .tooLarge where remainingSize < 0:
            "all rules together have more than \(options.limits.totalRuleSize) parts; make them smaller"
        case .tooLarge:
            "it has more than \(options.limits.ruleSize) parts; make it smaller"
        }
    }

    /// Lists a problem.
    @discardableResult
    mutating func note(
        _ path: JSONPath, _ message: String, flagKey: String?, disablesFlag: Bool = false
    ) -> DefinitionProblem {
        let problem = DefinitionProblem(
            path: path.description, message: message, flagKey: flagKey, disablesFlag: disablesFlag)
        problems.append(problem)
        return problem
    }

    /// Lists what a check of a rule found.
    mutating func check(_ rule: FlagValue, of flag: FlagDefinition, _ path: JSONPath) {
        var checker = RuleChecker(evaluators: evaluators, limits: options.limits)
        checker.check(rule, path)
        checker.checkResults(rule, path, variants: flag.variants.map(\.name))
        for var problem in checker.problems {
            problem.flagKey = flag.key
            problems.append(problem)
        }
    }

    /// Expands references; a value that becomes too large or is too deep is a fault.
    mutating func expand(
        _ value: FlagValue, _ path: JSONPath, flagKey: String
    ) -> (value: FlagValue, fault: DefinitionProblem?) {
        do throws(ReferenceExpander.Fault) {
            return (try expander.expand(value), nil)
        } catch {
            let message = self.message(for: error == .tooDeep ? .tooDeep : .tooLarge)
            return (value, note(path, message, flagKey: flagKey, disablesFlag: true))
        }
    }
}

extension FlagValue {
    /// The kind of value for messages: "a string", "an array", "null".
    var kindWithArticle: String {
        switch self {
        case .null: "null"
        case .array, .object: "an \(kind)"
        case .bool, .int, .double, .string: "a \(kind)"
        }
    }
}
