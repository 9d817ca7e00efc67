import FlagModel

/// Turns a rule (references already expanded) into nodes: names are prepared for looking up, literals are
/// laid out, and what does not depend on the context is computed once.
struct RuleCompiler {
    /// Why a rule cannot be compiled.
    enum Fault: Error {
        case tooDeep
        case tooLarge
    }

    let scheme: FractionalScheme
    private let limits: EvaluationLimits
    private let flagKey: Term
    private var memory = TermMemory(blockSize: 512)
    private var texts: [TextKey: Term] = [:]
    private var unknownOperators: [String] = []
    private var dependsOnTime = false
    /// How many operators and literals have been compiled.
    private(set) var size = 0

    private init(flagKey: String, options: EvaluationOptions) {
        scheme = options.fractional
        limits = options.limits
        self.flagKey = memory.term(of: flagKey)
    }

    /// Compiles a flag's rule.
    ///
    /// - Parameters:
    ///   - targeting: The rule.
    ///   - flagKey: The flag's key, which rules see as `$flagd.flagKey`.
    ///   - variants: The names of the flag's variants; its position is what a name stands for.
    ///   - options: The scheme of `fractional`, and limits.
    /// - Returns: The rule, the table of variants in its memory, and the rule's size.
    /// - Throws: ``Fault`` when the rule exceeds a limit.
    static func compile(
        _ targeting: FlagValue, flagKey: String, variants: [String], options: EvaluationOptions
    ) throws(Fault) -> (rule: CompiledRule, variants: Term, size: Int) {
        var compiler = RuleCompiler(flagKey: flagKey, options: options)
        do throws(Fault) {
            let table = compiler.table(of: variants)
            let root = compiler.store([try compiler.node(for: targeting, Scope())])
            let rule = CompiledRule(
                root: .init(node: root), flagKey: compiler.flagKey, scheme: options.fractional,
                limits: options.limits, unknownOperators: compiler.unknownOperators,
                dependsOnTime: compiler.dependsOnTime, arena: TermArena(compiler.memory))
            return (rule, table, compiler.size)
        } catch {
            compiler.memory.deallocate()
            throw error
        }
    }

    private mutating func table(of variants: [String]) -> Term {
        let start = memory.allocate(variants.count * MemoryLayout<Member>.stride)
            .bindMemory(to: Member.self, capacity: variants.count)
        for (index, name) in variants.enumerated() {
            let name = text(name)
            let member = Member(hash: nameHash(name.bytes), name: name, value: Term(Double(index)))
            (start + index).initialize(to: member)
        }
        sortByHash(UnsafeMutableBufferPointer(start: start, count: variants.count))
        return Term(members: start, count: variants.count)
    }

    // MARK: Nodes

    /// Where a part of a rule stands.
    struct Scope {
        var depth = 0
        /// Whether it is inside an iterating operator.
        var isElement = false
        /// Whether a list here may be the same one each time it is evaluated.
        var sharesLists = true

        var deeper: Scope {
            var scope = self
            scope.depth += 1
            return scope
        }
    }

    mutating func node(for value: FlagValue, _ scope: Scope) throws(Fault) -> RuleNode {
        size += 1
        guard size <= limits.ruleSize else { throw .tooLarge }
        guard scope.depth <= limits.ruleDepth else { throw .tooDeep }
        switch value {
        case .string(let value):
            return constant(text(value))
        case .array(let elements):
            return try list(elements, scope)
        case .object(let members):
            guard members.count == 1, let (name, arguments) = members.first else {
                return constant(memory.term(of: members))
            }
            return try operation(name, Self.arguments(arguments), scope.deeper)
        case .null, .bool, .int, .double:
            return constant(memory.term(of: value))
        }
    }

    /// An operator's argument stands for a list of one.
    private static func arguments(_ value: FlagValue) -> [FlagValue] {
        if case .array(let elements) = value { elements } else { [value] }
    }

    private mutating func list(_ elements: [FlagValue], _ scope: Scope) throws(Fault) -> RuleNode {
        let nodes = try self.nodes(for: elements, scope.deeper)
        guard scope.sharesLists, nodes.allSatisfy(\.isConstant) else { return makeNode(.list, nodes) }
        let start = memory.allocate(nodes.count * MemoryLayout<Term>.stride)
            .bindMemory(to: Term.self, capacity: nodes.count)
        for (index, node) in nodes.enumerated() { (start + index).initialize(to: node.payload) }
        return constant(Term(elements: start, count: nodes.count))
    }

    mutating func nodes(for values: some Collection<FlagValue>, _ scope: Scope) throws(Fault) -> [RuleNode] {
        var nodes: [RuleNode] = []
        nodes.reserveCapacity(values.count)
        for value in values { nodes.append(try node(for: value, scope)) }
        return nodes
    }

    mutating func makeNode(
        _ operation: RuleOperation, _ arguments: [RuleNode], _ payload: Term = .undefined
    ) -> RuleNode {
        RuleNode(
            operation: operation, argumentCount: UInt32(arguments.count), arguments: store(arguments),
            payload: payload)
    }

    mutating func constant(_ term: Term) -> RuleNode {
        makeNode(.constant, [], term)
    }

    /// Copies nodes side by side.
    private mutating func store(_ nodes: [RuleNode]) -> UnsafePointer<RuleNode> {
        let start = memory.allocate(nodes.count * MemoryLayout<RuleNode>.stride)
            .bindMemory(to: RuleNode.self, capacity: nodes.count)
        for (index, node) in nodes.enumerated() { (start + index).initialize(to: node) }
        return UnsafePointer(start)
    }

    /// A text of the rule: the same address for the same text.
    private mutating func text(_ text: String) -> Term {
        if let known = texts[TextKey(text: text)] { return known }
        let term = memory.term(of: text)
        texts[TextKey(text: text)] = term
        return term
    }

    /// The flag's key, which rules see as `$flagd.flagKey`.
    var keyTerm: Term { flagKey }

    /// Notes that the result can change with time alone.
    mutating func noteTimeDependence() {
        dependsOnTime = true
    }

    /// Lays out the names of a path.
    mutating func storePath(_ names: [String]) -> Term {
        let start = memory.allocate(names.count * MemoryLayout<PathPart>.stride)
            .bindMemory(to: PathPart.self, capacity: names.count)
        for (index, name) in names.enumerated() { (start + index).initialize(to: PathPart(text(name))) }
        return Term(kind: .undefined, count: UInt32(names.count), bits: UInt64(UInt(bitPattern: start)))
    }

    /// Lays out a table.
    mutating func store(_ entries: [FractionalEntry]) -> Term {
        let start = memory.allocate(entries.count * MemoryLayout<FractionalEntry>.stride)
            .bindMemory(to: FractionalEntry.self, capacity: entries.count)
        for (index, entry) in entries.enumerated() { (start + index).initialize(to: entry) }
        return Term(kind: .undefined, count: UInt32(entries.count), bits: UInt64(UInt(bitPattern: start)))
    }

    // MARK: Operators

    private mutating func operation(
        _ name: String, _ arguments: [FlagValue], _ scope: Scope
    ) throws(Fault) -> RuleNode {
        guard let operation = RuleOperation(name: name) else {
            unknownOperators.append(name)
            let number = UInt32(unknownOperators.count - 1)
            let payload = Term(kind: .undefined, count: number)
            return makeNode(.unknown, try nodes(for: arguments, scope.deeper), payload)
        }
        var scope = scope.deeper
        switch operation {
        case .conditional: return try conditional(arguments, scope)
        case .and: return try logical(arguments, until: false, scope)
        case .or: return try logical(arguments, until: true, scope)
        case .filter, .map, .reduce, .all, .none, .some: return try iteration(operation, arguments, scope)
        case .contextPath: return try variable(arguments, scope)
        case .fractional: return try fractional(arguments, scope)
        case .missing:
            return makeNode(scope.isElement ? .elementMissing : .missing, try nodes(for: arguments, scope))
        case .missingSome:
            return makeNode(
                scope.isElement ? .elementMissingSome : .missingSome, try nodes(for: arguments, scope))
        case .contains:
            // Nothing can tell whether the list that is searched is a new one.
            scope.sharesLists = true
            return folded(operation, try nodes(for: arguments, scope))
        case .concatenate:
            return try concatenation(arguments, .concatenate, null: "", scope)
        case .log:
            return makeNode(.log, try nodes(for: arguments, scope))
        default:
            return folded(operation, try nodes(for: arguments, scope))
        }
    }

    private mutating func conditional(_ arguments: [FlagValue], _ scope: Scope) throws(Fault) -> RuleNode {
        var nodes: [RuleNode] = []
        var index = 0
        while index < arguments.count {
            let node = try node(for: arguments[index], scope)
            guard index + 1 < arguments.count else {
                nodes.append(node)
                break
            }
            if !node.isConstant {
                nodes.append(node)
                nodes.append(try self.node(for: arguments[index + 1], scope))
            } else if node.payload.isTruthy {
                nodes.append(try self.node(for: arguments[index + 1], scope))
                break
            }
            index += 2
        }
        switch nodes.count {
        case 0: return constant(.null)
        case 1: return nodes[0]
        default: return makeNode(.conditional, nodes)
        }
    }

    private mutating func logical(
        _ arguments: [FlagValue], until decisive: Bool, _ scope: Scope
    ) throws(Fault) -> RuleNode {
        var nodes: [RuleNode] = []
        for (index, argument) in arguments.enumerated() {
            let node = try node(for: argument, scope)
            if !node.isConstant || index == arguments.count - 1 {
                nodes.append(node)
            } else if node.payload.isTruthy == decisive {
                nodes.append(node)
                break
            }
        }
        switch nodes.count {
        case 0: return constant(.undefined)
        case 1: return nodes[0]
        default: return makeNode(decisive ? .or : .and, nodes)
        }
    }

    /// `cat`: literals are turned into text once.
    mutating func concatenation(
        _ arguments: [FlagValue], _ operation: RuleOperation, null: String, _ scope: Scope
    ) throws(Fault) -> RuleNode {
        var nodes = try nodes(for: arguments, scope)
        for index in nodes.indices where nodes[index].isConstant {
            let literal = nodes[index].payload
            if literal.isNullOrUndefined {
                nodes[index] = constant(text(null))
            } else if literal.kind != .string,
                let text = literalResult(of: makeNode(.concatenate, [nodes[index]]))
            {
                nodes[index] = constant(text)
            }
        }
        return folded(operation, nodes)
    }

    private mutating func iteration(
        _ operation: RuleOperation, _ arguments: [FlagValue], _ scope: Scope
    ) throws(Fault) -> RuleNode {
        var inner = scope
        inner.isElement = true
        inner.sharesLists = false
        var nodes: [RuleNode] = []
        if arguments.count > 0 { nodes.append(try node(for: arguments[0], scope)) }
        if arguments.count > 1 { nodes.append(try node(for: arguments[1], inner)) }
        // Only `reduce` looks at a third argument, and none at more.
        if arguments.count > 2, operation == .reduce { nodes.append(try node(for: arguments[2], scope)) }
        return makeNode(operation, nodes)
    }

    /// An operator over arguments that are evaluated first: done once and for all if they are literals.
    mutating func folded(_ operation: RuleOperation, _ arguments: [RuleNode]) -> RuleNode {
        let node = makeNode(operation, arguments)
        guard arguments.allSatisfy(\.isConstant), let result = literalResult(of: node) else { return node }
        return constant(result)
    }

    /// The result of a node that does not look at the context, unless it is a list, which has to be a new one
    /// each time, or a fault, which matters only if the node is reached.
    private mutating func literalResult(of node: RuleNode) -> Term? {
        var evaluator = RuleEvaluator(
            context: .emptyObject, now: 0, flagKey: flagKey, scheme: scheme,
            stepsLeft: limits.steps, memory: TermMemory(allowance: limits.producedBytes))
        defer { evaluator.memory.deallocate() }
        return withUnsafePointer(to: node) { pointer in
            guard let result = try? evaluator.value(of: pointer, .undefined), !result.isCollection else {
                return nil
            }
            return result.kind == .string ? memory.term(of: result.bytes) : result
        }
    }
}

extension RuleNode {
    var isConstant: Bool { operation == .constant }
}

/// A text as a key in which only the bytes count: Swift's strings are equal when their normalized forms are.
private struct TextKey: Hashable {
    let text: String

    static func == (left: TextKey, right: TextKey) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}
