extension RuleEvaluator {
    /// `+`, `*`, `min` and `max`: operators over any number of arguments.
    mutating func accumulated(
        _ node: UnsafePointer<RuleNode>, _ element: Term
    ) throws(RuleFault) -> Term {
        let count = node.pointee.argumentCount
        var index: UInt32 = 0
        switch node.pointee.operation {
        case .add:
            var sum = 0.0
            while index < count {
                sum += try leadingNumber(of: try argument(index, node, element))
                index += 1
            }
            return Term(sum)

        case .multiply:
            // A single argument is given back as it is, whatever it is.
            guard count > 0 else { throw .missingArgument }
            let first = try argument(0, node, element)
            if count == 1 { return first }
            var product = try leadingNumber(of: first)
            index = 1
            while index < count {
                // The reference reads each intermediate product as a text again: -0 becomes 0.
                product = try (product + 0) * leadingNumber(of: try argument(index, node, element))
                index += 1
            }
            return Term(product)

        default:
            let isMinimum = node.pointee.operation == .minimum
            var extreme = isMinimum ? Double.infinity : -.infinity
            while index < count {
                let number = try number(of: try argument(index, node, element))
                index += 1
                if extreme.isNaN { continue }
                if number.isNaN {
                    extreme = .nan
                } else if isMinimum ? isLess(number, extreme) : isLess(extreme, number) {
                    extreme = number
                }
            }
            return Term(extreme)
        }
    }

    /// `-`, `/` and `%`.
    mutating func binaryArithmetic(
        _ node: UnsafePointer<RuleNode>, _ element: Term
    ) throws(RuleFault) -> Double {
        let left = try argument(0, node, element)
        let right = try argument(1, node, element)
        try discardArguments(from: 2, node, element)
        switch node.pointee.operation {
        case .subtract where right.kind == .undefined:
            return -(try number(of: left))
        case .subtract:
            return try number(of: left) - number(of: right)
        case .divide:
            return try number(of: left) / number(of: right)
        default:
            return try number(of: left).truncatingRemainder(dividingBy: number(of: right))
        }
    }

    /// Whether a number is less than another, where -0 is less than 0.
    private func isLess(_ left: Double, _ right: Double) -> Bool {
        left < right || left == 0 && right == 0 && left.sign == .minus && right.sign == .plus
    }
}
