extension RuleEvaluator {
    /// `in`: whether a list has an element or a text has a part.
    mutating func contains(
        _ node: UnsafePointer<RuleNode>, _ element: Term
    ) throws(RuleFault) -> Bool {
        let needle = try argument(0, node, element)
        let haystack = try argument(1, node, element)
        try discardArguments(from: 2, node, element)
        switch haystack.kind {
        case .string:
            if haystack.count == 0 { return false }
            let needle = try text(of: needle)
            try charge(reading: Int(haystack.count) + Int(needle.count))
            return TextScanning.contains(haystack.bytes, needle.bytes)
        case .array:
            try charge(reading: Int(haystack.count) * 16)
            for candidate in haystack.elements where strictlyEqual(needle, candidate) { return true }
            return false
        case .undefined, .null, .bool, .number, .wideInteger, .object:
            return false
        }
    }

    /// `cat`: all arguments as one text, with a given text for those that are `null` or missing.
    mutating func concatenated(
        _ node: UnsafePointer<RuleNode>, null: Term, _ element: Term
    ) throws(RuleFault) -> Term {
        var builder = TextBuilder()
        var index: UInt32 = 0
        while index < node.pointee.argumentCount {
            let part = try argument(index, node, element)
            try append(part.isNullOrUndefined ? null : part, to: &builder, depth: 0)
            index += 1
        }
        return builder.term
    }

    /// `substr`: a part of a text; a negative start counts from the end, a negative length leaves so many
    /// out.
    mutating func substring(
        _ node: UnsafePointer<RuleNode>, _ element: Term
    ) throws(RuleFault) -> Term {
        let source = try text(of: try argument(0, node, element))
        let startTerm = try argument(1, node, element)
        let lengthTerm = try argument(2, node, element)
        try discardArguments(from: 3, node, element)

        try charge(reading: Int(source.count) * 2)
        let count = TextScanning.unitCount(source.bytes)
        var start = clamped(try number(of: startTerm), to: count)
        if start < 0 { start += count }
        let length: Int
        if lengthTerm.kind == .undefined {
            length = count - start
        } else {
            let number = try number(of: lengthTerm)
            if number < 0 {
                // The reference adds the length's own value to the rest's: a text is appended to the digits,
                // and the result is no number.
                let sum =
                    lengthTerm.kind == .number || lengthTerm.kind == .wideInteger
                    ? Double(count - start) + number : .nan
                length = max(clamped(sum, to: count - start), 0)
            } else {
                length = clamped(number, to: count - start)
            }
        }
        return length <= 0 ? Term("") : try slice(source, from: start, to: start + length)
    }

    /// A number without its fraction, not beyond the limit in either direction; 0 for what is not a number.
    private func clamped(_ number: Double, to limit: Int) -> Int {
        if number.isNaN { return 0 }
        return Int(max(-Double(limit), min(Double(limit), number.rounded(.towardZero))))
    }

    /// `merge`: lists joined to one, with other values as elements.
    mutating func merged(
        _ node: UnsafePointer<RuleNode>, _ element: Term
    ) throws(RuleFault) -> Term {
        let arguments = try allArguments(node, element)
        var count = 0
        for argument in arguments { count += argument.kind == .array ? Int(argument.count) : 1 }
        try charge(reading: count * 16)
        let target = try newElements(count)
        var index = 0
        for argument in arguments {
            if argument.kind == .array {
                for element in argument.elements {
                    (target + index).initialize(to: element)
                    index += 1
                }
            } else {
                (target + index).initialize(to: argument)
                index += 1
            }
        }
        return Term(elements: target, count: count)
    }

    // MARK: flagd's own

    /// `starts_with` and `ends_with`: only two texts have an answer.
    mutating func affix(_ node: UnsafePointer<RuleNode>, _ element: Term) throws(RuleFault) -> Term {
        let text = try argument(0, node, element)
        let affix = try argument(1, node, element)
        try discardArguments(from: 2, node, element)
        guard node.pointee.argumentCount == 2, text.kind == .string, affix.kind == .string else {
            return .null
        }
        guard affix.count <= text.count else { return Term(false) }
        try charge(reading: Int(affix.count))
        let bytes = text.bytes
        let part =
            node.pointee.operation == .startsWith
            ? bytes[..<Int(affix.count)] : bytes[(bytes.count - Int(affix.count))...]
        return Term(haveSameBytes(UnsafeRawBufferPointer(rebasing: part), affix.bytes))
    }

    /// `sem_ver`: two versions and how they should compare.
    mutating func semanticVersion(
        _ node: UnsafePointer<RuleNode>, _ element: Term
    ) throws(RuleFault) -> Term {
        let leftTerm = try argument(0, node, element)
        let operatorTerm = try argument(1, node, element)
        let rightTerm = try argument(2, node, element)
        try discardArguments(from: 3, node, element)
        guard node.pointee.argumentCount == 3, operatorTerm.kind == .string, operatorTerm.count <= 2,
            let left = try version(leftTerm), let right = try version(rightTerm)
        else { return .null }

        let symbol = operatorTerm.bytes
        switch (symbol.first, symbol.dropFirst().first) {
        case (UInt8(ascii: "="), nil): return Term(left.order(against: right) == 0)
        case (UInt8(ascii: "!"), UInt8(ascii: "=")): return Term(left.order(against: right) != 0)
        case (UInt8(ascii: "<"), nil): return Term(left.order(against: right) < 0)
        case (UInt8(ascii: "<"), UInt8(ascii: "=")): return Term(left.order(against: right) <= 0)
        case (UInt8(ascii: ">"), nil): return Term(left.order(against: right) > 0)
        case (UInt8(ascii: ">"), UInt8(ascii: "=")): return Term(left.order(against: right) >= 0)
        case (UInt8(ascii: "^"), nil): return Term(left.hasSameMajor(as: right))
        case (UInt8(ascii: "~"), nil): return Term(left.hasSameMinor(as: right))
        default: return .null
        }
    }

    private mutating func version(_ value: Term) throws(RuleFault) -> SemanticVersion? {
        switch value.kind {
        case .string, .number, .wideInteger:
            let text = try text(of: value)
            try charge(reading: Int(text.count) * 8)
            return SemanticVersion(text.bytes)
        case .undefined, .null, .bool, .array, .object:
            return nil
        }
    }
}
