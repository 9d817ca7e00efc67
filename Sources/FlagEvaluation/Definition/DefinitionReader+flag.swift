import FlagModel

extension DefinitionReader {
    /// Reads what a flag says of itself.
    ///
    /// - Returns: The first problem that makes the flag unusable, or `nil`. All problems are listed.
    mutating func readMembers(
        of value: FlagValue, into flag: inout FlagDefinition, _ path: JSONPath
    ) -> DefinitionProblem? {
        guard case .object(let members) = value else {
            let message = "expected an object, found \(value.kindWithArticle)"
            return note(path, message, flagKey: flag.key, disablesFlag: true)
        }
        if flag.key.isEmpty { note(path, "a flag's key cannot be empty", flagKey: flag.key) }

        if let own = members["metadata"] {
            let metadata = readMetadata(own, path.member("metadata"), flagKey: flag.key)
            flag.metadata.merge(metadata) { _, own in own }
        }
        let stateFault = readState(members["state"], into: &flag, path.member("state"))
        let variantsFault = readVariants(members["variants"], into: &flag, path.member("variants"))
        let defaultFault = readDefault(
            members["defaultVariant"], into: &flag, path.member("defaultVariant"),
            hasVariants: !flag.variants.isEmpty)
        let targetingFault = readTargeting(members["targeting"], into: &flag, path.member("targeting"))
        return stateFault ?? variantsFault ?? defaultFault ?? targetingFault
    }

    private mutating func readState(
        _ value: FlagValue?, into flag: inout FlagDefinition, _ path: JSONPath
    ) -> DefinitionProblem? {
        switch value {
        case .string("ENABLED"): flag.isEnabled = true
        case .string("DISABLED"): flag.isEnabled = false
        case nil:
            let message = "there is no state; write \"ENABLED\" or \"DISABLED\""
            return note(path, message, flagKey: flag.key, disablesFlag: true)
        case let value?:
            let message = "expected \"ENABLED\" or \"DISABLED\", found \(value.excerpt)"
            return note(path, message, flagKey: flag.key, disablesFlag: true)
        }
        return nil
    }

    private mutating func readVariants(
        _ value: FlagValue?, into flag: inout FlagDefinition, _ path: JSONPath
    ) -> DefinitionProblem? {
        guard let value else {
            return note(
                path, "there are no variants; a flag needs at least one", flagKey: flag.key,
                disablesFlag: true)
        }
        let (expanded, expansionFault) = expand(value, path, flagKey: flag.key)
        if let expansionFault { return expansionFault }
        guard case .object(let members) = expanded else {
            let message = "expected an object of values by name, found \(value.kindWithArticle)"
            return note(path, message, flagKey: flag.key, disablesFlag: true)
        }
        guard !members.isEmpty else {
            return note(path, "a flag needs at least one variant", flagKey: flag.key, disablesFlag: true)
        }

        flag.variants = members.map { (name: $0.key, value: $0.value) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        var fault: DefinitionProblem?
        var kind: String?
        for (name, value) in flag.variants {
            let path = path.member(name)
            if name.isEmpty { note(path, "a variant's name cannot be empty", flagKey: flag.key) }
            switch value {
            case .null, .array:
                let message =
                    "expected a Boolean, a string, a number or an object, found \(value.kindWithArticle)"
                fault = fault ?? note(path, message, flagKey: flag.key, disablesFlag: true)
            case .bool, .int, .double, .string, .object:
                if let kind, kind != value.kind {
                    let message =
                        "all variants of a flag have one type, but this is \(value.kindWithArticle)"
                        + " and others are of type \(kind)"
                    fault = fault ?? note(path, message, flagKey: flag.key, disablesFlag: true)
                }
                kind = kind ?? value.kind
            }
        }
        return fault
    }

    private mutating func readDefault(
        _ value: FlagValue?, into flag: inout FlagDefinition, _ path: JSONPath, hasVariants: Bool
    ) -> DefinitionProblem? {
        switch value {
        case nil, .null:
            return nil
        case .string(let name):
            if !name.isEmpty { flag.defaultVariant = name }
        case .bool(let value):
            flag.defaultVariant = value ? "true" : "false"
            note(path, "expected the name of a variant as a string: \"\(value)\"", flagKey: flag.key)
        case let value?:
            let message = "expected the name of a variant or null, found \(value.kindWithArticle)"
            return note(path, message, flagKey: flag.key, disablesFlag: true)
        }
        if hasVariants, let name = flag.defaultVariant,
            !flag.variants.contains(where: { $0.name.utf8.elementsEqual(name.utf8) })
        {
            // Rules of the flag can still choose; only where the default is needed there is nothing to serve.
            let message = "\"\(name)\" is not one of the flag's variants (\(flag.variantList))"
            note(path, message, flagKey: flag.key)
        }
        return nil
    }

    private mutating func readTargeting(
        _ value: FlagValue?, into flag: inout FlagDefinition, _ path: JSONPath
    ) -> DefinitionProblem? {
        switch value {
        case nil, .null:
            return nil
        case .object(let members):
            if members.isEmpty { return nil }
        case let value?:
            let message = "expected a rule, which is an object, found \(value.kindWithArticle)"
            return note(path, message, flagKey: flag.key, disablesFlag: true)
        }
        guard let value else { return nil }
        check(value, of: flag, path)
        let (expanded, fault) = expand(value, path, flagKey: flag.key)
        flag.targeting = expanded
        return fault
    }
}

extension FlagDefinition {
    /// The names of the variants for messages.
    var variantList: String {
        let names = variants.prefix(8).map { "\"\($0.name)\"" }.joined(separator: ", ")
        return variants.count > 8 ? names + ", …" : names
    }
}

extension FlagValue {
    /// The beginning of the value's JSON, for messages.
    var excerpt: String {
        switch self {
        case .array, .object: return kindWithArticle
        case .null, .bool, .int, .double, .string:
            let text = jsonText
            return text.count > 60 ? text.prefix(60) + "…" : text
        }
    }
}
