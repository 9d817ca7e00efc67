/// Evaluates a compiled rule against one context.
///
/// JSONLogic as json-logic-js has it: what an operator does with arguments of any type follows JavaScript. A
/// value for one evaluation on one thread.
struct RuleEvaluator {
    /// The context's attributes.
    let context: Term
    let now: Int64
    let flagKey: Term
    let scheme: FractionalScheme
    var stepsLeft: Int
    var memory: TermMemory
    /// The context with `$flagd`, once a rule has asked for it: the same object each time.
    var wholeContext = Term.undefined

    /// The value of a node.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - element: What nodes inside an iterating operator see.
    /// - Returns: The value, in the memory of the context, the rule or this evaluation.
    /// - Throws: ``RuleFault`` when the rule cannot be evaluated to the end.
    mutating func value(
        of node: UnsafePointer<RuleNode>, _ element: Term
    ) throws(RuleFault) -> Term {
        stepsLeft &-= 1
        guard stepsLeft >= 0 else { throw .tooManySteps }
        switch node.pointee.operation {
        case .constant:
            return node.pointee.payload
        case .list:
            return try list(node, element)

        case .attribute:
            let name = node.pointee.path[0]
            return context.member(hash: name.hash, name: name.name) ?? .null
        case .contextPath:
            return try path(node, in: context, element)
        case .elementPath:
            return try path(node, in: element, element)
        case .flagdPath:
            return try path(node, in: flagdProperties(), element)
        case .wholeContext:
            return try contextObject()
        case .wholeElement:
            return element
        case .timestamp:
            return Term(Double(now))
        case .computedContextPath:
            return try computedPath(node, isElement: false, element)
        case .computedElementPath:
            return try computedPath(node, isElement: true, element)
        case .missing:
            return try missing(node, isElement: false, element)
        case .elementMissing:
            return try missing(node, isElement: true, element)
        case .missingSome:
            return try missingSome(node, isElement: false, element)
        case .elementMissingSome:
            return try missingSome(node, isElement: true, element)

        case .conditional:
            return try conditional(node, element)
        case .and:
            return try logical(node, until: false, element)
        case .or:
            return try logical(node, until: true, element)
        case .filter:
            return try filter(node, element)
        case .map:
            return try map(node, element)
        case .reduce:
            return try reduce(node, element)
        case .all:
            return try quantified(node, stopsAt: false, onStop: false, atEnd: true, ifEmpty: false, element)
        case .none:
            return try quantified(node, stopsAt: true, onStop: false, atEnd: true, ifEmpty: true, element)
        case .some:
            return try quantified(node, stopsAt: true, onStop: true, atEnd: false, ifEmpty: false, element)

        case .equal, .notEqual, .strictlyEqual, .strictlyNotEqual, .less, .lessOrEqual, .greater,
            .greaterOrEqual:
            return Term(try comparison(node, element))
        case .truthy:
            return Term(try argument(0, node, element).isTruthy)
        case .not:
            return Term(!(try argument(0, node, element).isTruthy))

        case .add, .multiply, .minimum, .maximum:
            return try accumulated(node, element)
        case .subtract, .divide, .remainder:
            return Term(try binaryArithmetic(node, element))

        case .contains:
            return Term(try contains(node, element))
        case .concatenate:
            return try concatenated(node, null: Term(""), element)
        case .concatenateForBucketing:
            return try concatenated(node, null: Term("null"), element)
        case .substring:
            return try substring(node, element)
        case .merge:
            return try merged(node, element)
        case .log:
            let value = try argument(0, node, element)
            try discardArguments(from: 1, node, element)
            return value

        case .startsWith:
            return try affix(node, element)
        case .endsWith:
            return try affix(node, element)
        case .semanticVersion:
            return try semanticVersion(node, element)
        case .fractional:
            return try fractional(node, isElement: false, element)
        case .elementFractional:
            return try fractional(node, isElement: true, element)
        case .fractionalTable:
            return try fractionalTable(node, element)
        case .fractionalTableByTargetingKey:
            return try fractionalTableByTargetingKey(node)

        case .unknown:
            // The arguments come first, as in the reference; their faults are of the same kind.
            try discardArguments(from: 0, node, element)
            throw .unknownOperator(node.pointee.payload.count)
        }
    }

    // MARK: Arguments

    /// The value of an argument, `undefined` when there are fewer.
    @inline(__always)
    mutating func argument(
        _ index: UInt32, _ node: UnsafePointer<RuleNode>, _ element: Term
    ) throws(RuleFault) -> Term {
        guard index < node.pointee.argumentCount else { return .undefined }
        let argument = node.pointee.arguments + Int(index)
        // Literals are half of all arguments.
        if argument.pointee.operation == .constant { return argument.pointee.payload }
        return try value(of: argument, element)
    }

    /// Evaluates arguments that an operator does not use: what they give is nothing to it, but a fault in one
    /// is.
    @inline(__always)
    mutating func discardArguments(
        from first: UInt32, _ node: UnsafePointer<RuleNode>, _ element: Term
    ) throws(RuleFault) {
        var index = first
        while index < node.pointee.argumentCount {
            _ = try argument(index, node, element)
            index += 1
        }
    }

    /// All arguments, side by side in scratch memory.
    mutating func allArguments(
        _ node: UnsafePointer<RuleNode>, _ element: Term
    ) throws(RuleFault) -> UnsafeBufferPointer<Term> {
        let count = Int(node.pointee.argumentCount)
        let target = try newElements(count)
        for index in 0..<count {
            (target + index).initialize(to: try argument(UInt32(index), node, element))
        }
        return UnsafeBufferPointer(start: target, count: count)
    }

    /// Counts the reading of bytes or elements as steps.
    @inline(__always)
    mutating func charge(reading count: Int) throws(RuleFault) {
        stepsLeft &-= count >> 6
        if stepsLeft < 0 { throw .tooManySteps }
    }

    /// Scratch memory for elements, to be initialized by the caller.
    mutating func newElements(_ count: Int) throws(RuleFault) -> UnsafeMutablePointer<Term> {
        try memory.produce(count * MemoryLayout<Term>.stride).bindMemory(to: Term.self, capacity: count)
    }

    private mutating func list(
        _ node: UnsafePointer<RuleNode>, _ element: Term
    ) throws(RuleFault) -> Term {
        let elements = try allArguments(node, element)
        return Term(elements: UnsafeRawPointer(elements.baseAddress.unsafelyUnwrapped), count: elements.count)
    }
}
