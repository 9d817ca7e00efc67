extension RuleEvaluator {
    /// `if` and `?:`: conditions and results in turn, and at the end perhaps what applies otherwise.
    mutating func conditional(
        _ node: UnsafePointer<RuleNode>, _ element: Term
    ) throws(RuleFault) -> Term {
        let count = node.pointee.argumentCount
        var index: UInt32 = 0
        while index + 1 < count {
            if try argument(index, node, element).isTruthy { return try argument(index + 1, node, element) }
            index += 2
        }
        return index < count ? try argument(index, node, element) : .null
    }

    /// `and` and `or`: the first operand that decides, else the last one.
    mutating func logical(
        _ node: UnsafePointer<RuleNode>, until decisive: Bool, _ element: Term
    ) throws(RuleFault) -> Term {
        var current = Term.undefined
        var index: UInt32 = 0
        while index < node.pointee.argumentCount {
            current = try argument(index, node, element)
            if current.isTruthy == decisive { return current }
            index += 1
        }
        return current
    }

    // MARK: Iteration

    mutating func filter(_ node: UnsafePointer<RuleNode>, _ element: Term) throws(RuleFault) -> Term {
        let list = try argument(0, node, element)
        guard list.kind == .array else { return try emptyList() }
        let target = try newElements(Int(list.count))
        var count = 0
        for candidate in list.elements where try countedArgument(1, node, candidate).isTruthy {
            (target + count).initialize(to: candidate)
            count += 1
        }
        return Term(elements: target, count: count)
    }

    mutating func map(_ node: UnsafePointer<RuleNode>, _ element: Term) throws(RuleFault) -> Term {
        let list = try argument(0, node, element)
        guard list.kind == .array else { return try emptyList() }
        let target = try newElements(Int(list.count))
        for (index, candidate) in list.elements.enumerated() {
            (target + index).initialize(to: try countedArgument(1, node, candidate))
        }
        return Term(elements: target, count: Int(list.count))
    }

    mutating func reduce(_ node: UnsafePointer<RuleNode>, _ element: Term) throws(RuleFault) -> Term {
        let list = try argument(0, node, element)
        let initial = node.pointee.argumentCount > 2 ? try argument(2, node, element) : .null
        guard list.kind == .array else { return initial }
        var accumulator = initial
        for candidate in list.elements {
            let members = try memory.produce(2 * MemoryLayout<Member>.stride)
                .bindMemory(to: Member.self, capacity: 2)
            let pair = ReduceNames.shared.members(current: candidate, accumulator: accumulator)
            members.initialize(to: pair.0)
            (members + 1).initialize(to: pair.1)
            accumulator = try countedArgument(1, node, Term(members: members, count: 2))
        }
        return accumulator
    }

    /// `all`, `none` and `some`.
    ///
    /// - Parameters:
    ///   - node: The operator: a list and a condition.
    ///   - decisive: What the condition has to be for an element to decide.
    ///   - decided: The result in that case.
    ///   - undecided: The result when no element decides.
    ///   - empty: The result for an empty list, and for anything that is no list.
    ///   - element: What the operator itself sees.
    /// - Returns: A Boolean.
    /// - Throws: ``RuleFault`` when the list or the condition cannot be evaluated.
    mutating func quantified(
        _ node: UnsafePointer<RuleNode>, stopsAt decisive: Bool, onStop decided: Bool, atEnd undecided: Bool,
        ifEmpty empty: Bool, _ element: Term
    ) throws(RuleFault) -> Term {
        let list = try argument(0, node, element)
        guard list.kind == .array, list.count > 0 else { return Term(empty) }
        for candidate in list.elements where try countedArgument(1, node, candidate).isTruthy == decisive {
            return Term(decided)
        }
        return Term(undecided)
    }

    /// As ``argument(_:_:_:)``, but a literal counts as a step too, which bounds loops over literals.
    @inline(__always)
    private mutating func countedArgument(
        _ index: UInt32, _ node: UnsafePointer<RuleNode>, _ element: Term
    ) throws(RuleFault) -> Term {
        stepsLeft &-= 1
        guard stepsLeft >= 0 else { throw .tooManySteps }
        return try argument(index, node, element)
    }

    /// A new empty list: not the same as any other.
    mutating func emptyList() throws(RuleFault) -> Term {
        Term(elements: try newElements(0), count: 0)
    }
}

/// The names that `reduce` offers to its rule, prepared once.
private struct ReduceNames: Sendable {
    static let shared = ReduceNames()

    private let current = PreparedName("current")
    private let accumulator = PreparedName("accumulator")

    private struct PreparedName: Sendable {
        let term: Term
        let hash: UInt64

        init(_ literal: StaticString) {
            term = Term(literal)
            hash = nameHash(term.bytes)
        }
    }

    /// The two members in the order of the names' hashes.
    func members(current value: Term, accumulator sum: Term) -> (Member, Member) {
        let first = Member(hash: current.hash, name: current.term, value: value)
        let second = Member(hash: accumulator.hash, name: accumulator.term, value: sum)
        return first.hash < second.hash ? (first, second) : (second, first)
    }
}
