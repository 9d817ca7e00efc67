extension RuleEvaluator {
    /// The comparing operators.
    mutating func comparison(
        _ node: UnsafePointer<RuleNode>, _ element: Term
    ) throws(RuleFault) -> Bool {
        let left = try argument(0, node, element)
        let right = try argument(1, node, element)
        switch node.pointee.operation {
        case .equal:
            try discardArguments(from: 2, node, element)
            return try equal(left, right)
        case .notEqual:
            try discardArguments(from: 2, node, element)
            return try !equal(left, right)
        case .strictlyEqual:
            try discardArguments(from: 2, node, element)
            return strictlyEqual(left, right)
        case .strictlyNotEqual:
            try discardArguments(from: 2, node, element)
            return !strictlyEqual(left, right)
        default:
            // With three arguments: whether the second lies between the others. The JavaScript reference
            // knows that for `<` and `<=` only, flagd's evaluators agree on it for all four.
            let third = try argument(2, node, element)
            try discardArguments(from: 3, node, element)
            guard try areInOrder(left, right, node.pointee.operation) else { return false }
            if third.kind == .undefined { return true }
            return try areInOrder(right, third, node.pointee.operation)
        }
    }

    @inline(__always)
    private mutating func areInOrder(
        _ left: Term, _ right: Term, _ operation: RuleOperation
    ) throws(RuleFault) -> Bool {
        switch operation {
        case .less: try isOrdered(left, right, orEqual: false)
        case .lessOrEqual: try isOrdered(left, right, orEqual: true)
        case .greater: try isOrdered(right, left, orEqual: false)
        default: try isOrdered(right, left, orEqual: true)
        }
    }

    /// JavaScript's `===`.
    func strictlyEqual(_ left: Term, _ right: Term) -> Bool {
        switch (left.kind, right.kind) {
        case (.number, .number): left.number == right.number
        case (.string, .string): left.hasSameText(as: right)
        case (.number, .wideInteger): left.number == Double(right.integer)
        case (.wideInteger, .number): Double(left.integer) == right.number
        case (.wideInteger, .wideInteger): Double(left.integer) == Double(right.integer)
        default: left.isIdentical(to: right)
        }
    }

    /// JavaScript's `==`.
    @inline(__always)
    mutating func equal(_ left: Term, _ right: Term) throws(RuleFault) -> Bool {
        if left.kind == .string, right.kind == .string {
            try charge(reading: Int(left.count))
            return left.hasSameText(as: right)
        }
        if left.kind == .number, right.kind == .number { return left.number == right.number }
        return try looselyEqual(left, right)
    }

    @inline(never)
    private mutating func looselyEqual(_ left: Term, _ right: Term) throws(RuleFault) -> Bool {
        if left.isNullOrUndefined || right.isNullOrUndefined {
            return left.isNullOrUndefined && right.isNullOrUndefined
        }
        if left.isCollection, right.isCollection { return left.isIdentical(to: right) }
        // A list or an object is compared as its text; then, unless both are texts, numbers are compared.
        let left = left.isCollection ? try text(of: left) : left
        let right = right.isCollection ? try text(of: right) : right
        if left.kind == .string, right.kind == .string {
            try charge(reading: Int(left.count))
            return left.hasSameText(as: right)
        }
        return try number(of: left) == number(of: right)
    }

    /// JavaScript's `<` or `<=`.
    @inline(__always)
    private mutating func isOrdered(_ left: Term, _ right: Term, orEqual: Bool) throws(RuleFault) -> Bool {
        if left.kind == .number, right.kind == .number {
            return orEqual ? left.number <= right.number : left.number < right.number
        }
        return try isOrderedAfterConversion(left, right, orEqual: orEqual)
    }

    @inline(never)
    private mutating func isOrderedAfterConversion(
        _ left: Term, _ right: Term, orEqual: Bool
    ) throws(RuleFault) -> Bool {
        let left = left.isCollection ? try text(of: left) : left
        let right = right.isCollection ? try text(of: right) : right
        if left.kind == .string, right.kind == .string {
            try charge(reading: Int(min(left.count, right.count)))
            return orEqual
                ? !TextScanning.precedes(right.bytes, left.bytes)
                : TextScanning.precedes(left.bytes, right.bytes)
        }
        let numbers = (try number(of: left), try number(of: right))
        return orEqual ? numbers.0 <= numbers.1 : numbers.0 < numbers.1
    }
}
