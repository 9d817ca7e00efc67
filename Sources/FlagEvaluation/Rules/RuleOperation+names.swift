extension RuleOperation {
    /// The operation of an operator's name, `nil` for an unknown one.
    ///
    /// Where an operation has several forms, the one for the context outside of iterating operators.
    init?(name: String) {
        guard let operation = operationsByName[name] else { return nil }
        self = operation
    }
}

private let operationsByName: [String: RuleOperation] = [
    "var": .contextPath, "missing": .missing, "missing_some": .missingSome,
    "if": .conditional, "?:": .conditional, "and": .and, "or": .or,
    "filter": .filter, "map": .map, "reduce": .reduce, "all": .all, "none": .none, "some": .some,
    "==": .equal, "!=": .notEqual, "===": .strictlyEqual, "!==": .strictlyNotEqual,
    "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "!": .not, "!!": .truthy,
    "+": .add, "-": .subtract, "*": .multiply, "/": .divide, "%": .remainder, "min": .minimum,
    "max": .maximum,
    "in": .contains, "cat": .concatenate, "substr": .substring, "merge": .merge, "log": .log,
    "starts_with": .startsWith, "ends_with": .endsWith, "sem_ver": .semanticVersion,
    "fractional": .fractional,
]
