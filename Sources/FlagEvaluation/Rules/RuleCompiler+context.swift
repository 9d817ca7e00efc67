import FlagModel

extension RuleCompiler {
    /// `var`: nearly always with a path that is known in advance.
    mutating func variable(_ arguments: [FlagValue], _ scope: Scope) throws(Fault) -> RuleNode {
        let nodes = try self.nodes(for: arguments, scope)
        let extras = nodes.dropFirst(2)
        guard nodes.isEmpty || nodes[0].isConstant && !nodes[0].payload.isCollection,
            extras.allSatisfy(\.isConstant)
        else { return computedVariable(nodes, scope) }

        let path = nodes.isEmpty ? "" : Self.pathText(nodes[0].payload)
        if path.isEmpty {
            guard nodes.dropFirst().allSatisfy(\.isConstant) else { return computedVariable(nodes, scope) }
            if scope.isElement { return makeNode(.wholeElement, []) }
            noteTimeDependence()
            return makeNode(.wholeContext, [])
        }
        let names = path.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        var fallback = Array(nodes.dropFirst().prefix(1))
        if let node = fallback.first, node.isConstant, node.payload.kind == .null { fallback = [] }
        if scope.isElement { return makeNode(.elementPath, fallback, storePath(names)) }
        return contextVariable(names, fallback)
    }

    private mutating func computedVariable(_ nodes: [RuleNode], _ scope: Scope) -> RuleNode {
        if scope.isElement { return makeNode(.computedElementPath, nodes) }
        noteTimeDependence()
        return makeNode(.computedContextPath, nodes)
    }

    private mutating func contextVariable(_ names: [String], _ fallback: [RuleNode]) -> RuleNode {
        guard names[0] == "$flagd" else {
            let isPlain = names.count == 1 && fallback.isEmpty
            return makeNode(isPlain ? .attribute : .contextPath, fallback, storePath(names))
        }
        let hasPlainFallback = fallback.allSatisfy(\.isConstant)
        if names == ["$flagd", "flagKey"], hasPlainFallback { return constant(keyTerm) }
        noteTimeDependence()
        if names == ["$flagd", "timestamp"], hasPlainFallback { return makeNode(.timestamp, []) }
        return makeNode(.flagdPath, fallback, storePath(Array(names.dropFirst())))
    }

    /// A path as it stands in a rule, which can also be a number.
    private static func pathText(_ term: Term) -> String {
        switch term.kind {
        case .string: String(decoding: term.bytes, as: UTF8.self)
        case .number: NumberText.text(term.number)
        case .wideInteger: NumberText.text(Double(term.integer))
        case .bool: term.boolean ? "true" : "false"
        case .undefined, .null, .array, .object: ""
        }
    }

    // MARK: fractional

    mutating func fractional(_ arguments: [FlagValue], _ scope: Scope) throws(Fault) -> RuleNode {
        var nodes = try self.nodes(for: arguments.dropFirst(), scope)
        if let first = arguments.first { nodes.insert(try bucketingValue(first, scope), at: 0) }
        guard !scope.isElement, let first = nodes.first else {
            return makeNode(scope.isElement ? .elementFractional : .fractional, nodes)
        }
        if first.isConstant, first.payload.kind == .array {
            guard let table = fractionalTable(nodes[...]) else { return makeNode(.fractional, nodes) }
            return makeNode(.fractionalTableByTargetingKey, [], table)
        }
        if first.isConstant { return folded(.fractional, nodes) }
        guard let table = fractionalTable(nodes.dropFirst()) else { return makeNode(.fractional, nodes) }
        return makeNode(.fractionalTable, nodes, table)
    }

    /// The first argument of `fractional`.
    ///
    /// A `cat` there writes missing attributes as "null" in version 3, unlike elsewhere: the evaluator that
    /// defines the version does, and everyone has to land in the same bucket.
    private mutating func bucketingValue(_ value: FlagValue, _ scope: Scope) throws(Fault) -> RuleNode {
        guard scheme == .v3, case .object(let members) = value, members.count == 1, let parts = members["cat"]
        else {
            return try node(for: value, scope)
        }
        let arguments = parts.arrayValue ?? [parts]
        return try concatenation(arguments, .concatenateForBucketing, null: "null", scope.deeper.deeper)
    }

    /// The table of entries that are all literals and valid together.
    private mutating func fractionalTable(_ nodes: ArraySlice<RuleNode>) -> Term? {
        var entries: [FractionalEntry] = []
        var total = 0.0
        for node in nodes {
            guard node.isConstant, node.payload.kind == .array, (1...2).contains(node.payload.count) else {
                return nil
            }
            let elements = node.payload.elements
            guard let weight = elements.count == 1 ? 1 : RuleEvaluator.weight(of: elements[1]) else {
                return nil
            }
            total += weight
            guard total <= RuleEvaluator.maximumTotal else { return nil }
            entries.append(FractionalEntry(variant: elements[0], upperBound: UInt64(total)))
        }
        guard total > 0 else { return nil }
        return store(entries)
    }
}
