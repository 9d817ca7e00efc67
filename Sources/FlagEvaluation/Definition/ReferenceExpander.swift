import FlagModel

/// Puts evaluators in the place of `{"$ref": "name"}`: structurally, anywhere in a flag, not nested.
struct ReferenceExpander {
    /// Why a value cannot be expanded.
    enum Fault: Error {
        case tooLarge
        case tooDeep
    }

    private let evaluators: [String: FlagValue]
    private let sizes: [String: Int]
    private let limits: EvaluationLimits

    init(evaluators: [String: FlagValue], limits: EvaluationLimits) {
        self.evaluators = evaluators
        self.limits = limits
        sizes = evaluators.mapValues { Self.size(of: $0, upTo: limits.ruleSize) }
    }

    /// The evaluator that a value refers to: its name, if the value is a reference.
    static func referenceName(_ value: FlagValue) -> String? {
        guard case .object(let members) = value, members.count == 1 else { return nil }
        return members["$ref"]?.stringValue
    }

    /// A value with evaluators in the place of references to them; a reference to nothing stays.
    ///
    /// Also checks that the value is neither too large nor too deep.
    func expand(_ value: FlagValue) throws(Fault) -> FlagValue {
        var size = 0
        return try expand(value, depth: 0, &size)
    }

    private func expand(_ value: FlagValue, depth: Int, _ size: inout Int) throws(Fault) -> FlagValue {
        size += 1
        if let name = Self.referenceName(value), let evaluator = evaluators[name] {
            size += sizes[name] ?? 0
            guard size <= limits.ruleSize else { throw .tooLarge }
            return evaluator
        }
        guard size <= limits.ruleSize else { throw .tooLarge }
        guard depth <= limits.ruleDepth else { throw .tooDeep }
        switch value {
        case .array(let elements):
            var expanded: [FlagValue] = []
            expanded.reserveCapacity(elements.count)
            for element in elements { expanded.append(try expand(element, depth: depth + 1, &size)) }
            return evaluators.isEmpty ? value : .array(expanded)
        case .object(let members):
            var expanded = members
            for (name, member) in members {
                expanded[name] = try expand(member, depth: depth + 1, &size)
            }
            return evaluators.isEmpty ? value : .object(expanded)
        case .null, .bool, .int, .double, .string:
            return value
        }
    }

    /// How many values a value consists of, counted no further than a limit.
    private static func size(of value: FlagValue, upTo limit: Int) -> Int {
        var size = 0
        var pending = [value]
        while let next = pending.popLast(), size <= limit {
            size += 1
            switch next {
            case .array(let elements): pending += elements
            case .object(let members): pending += members.values
            case .null, .bool, .int, .double, .string: break
            }
        }
        return size
    }
}
