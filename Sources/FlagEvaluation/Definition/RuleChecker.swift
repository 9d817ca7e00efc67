import FlagModel

/// Looks for what is wrong with a rule before anyone evaluates it.
///
/// Nothing it finds keeps the rule from being evaluated: a part that is never reached does no harm.
struct RuleChecker {
    private(set) var problems: [DefinitionProblem] = []
    /// The evaluators that can be referred to; `nil` inside an evaluator, where references are not expanded.
    private let evaluators: [String: FlagValue]?
    private let limits: EvaluationLimits

    init(evaluators: [String: FlagValue]?, limits: EvaluationLimits) {
        self.evaluators = evaluators
        self.limits = limits
    }

    /// Checks a rule or a part of one.
    mutating func check(_ rule: FlagValue, _ path: JSONPath, depth: Int = 0) {
        // Deeper rules are refused as a whole.
        guard depth <= limits.ruleDepth else { return }
        switch rule {
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                check(element, path.element(index), depth: depth + 1)
            }
        case .object(let members):
            guard members.count == 1, let (name, value) = members.first else {
                if !members.isEmpty {
                    let names = members.keys.sorted().prefix(4).map { "\"\($0)\"" }.joined(separator: ", ")
                    warn(path, "an object with several members (\(names)) is a literal, not an operation")
                }
                return
            }
            checkOperation(name, value, path.member(name))
            check(value, path.member(name), depth: depth + 1)
        case .null, .bool, .int, .double, .string:
            break
        }
    }

    private mutating func checkOperation(_ name: String, _ value: FlagValue, _ path: JSONPath) {
        let arguments = value.arrayValue ?? [value]
        switch name {
        case "$ref":
            checkReference(value, path)
        case "var":
            checkVariable(arguments.first, path)
        case "starts_with", "ends_with":
            if arguments.count != 2 {
                note(path, "\(name) takes exactly two texts, found \(arguments.count)")
            }
        case "sem_ver":
            checkSemanticVersion(arguments, path)
        case "fractional":
            checkFractional(arguments, path)
        case "?:", "log":
            warn(path, "\"\(name)\" works here, but is not part of flagd's schema")
        default:
            if RuleOperation(name: name) == nil { note(path, "there is no operator \"\(name)\"") }
        }
    }

    private mutating func checkReference(_ value: FlagValue, _ path: JSONPath) {
        guard case .string(let name) = value else {
            note(path, "expected the name of an evaluator, found \(value.kindWithArticle)")
            return
        }
        guard let evaluators else {
            note(path, "evaluators cannot refer to other evaluators; write the rule out")
            return
        }
        if evaluators[name] == nil { note(path, "there is no evaluator \"\(name)\" in $evaluators") }
    }

    private mutating func checkVariable(_ value: FlagValue?, _ path: JSONPath) {
        guard case .string(let name) = value, name.utf8.starts(with: "$flagd.".utf8) else { return }
        if name != "$flagd.timestamp", name != "$flagd.flagKey" {
            note(path, "there is no property \"\(name)\", only $flagd.timestamp and $flagd.flagKey")
        }
    }

    private mutating func checkSemanticVersion(_ arguments: [FlagValue], _ path: JSONPath) {
        guard arguments.count == 3 else {
            note(
                path,
                "sem_ver takes exactly a version, an operator and a version, found \(arguments.count) arguments"
            )
            return
        }
        let operators = ["=", "!=", ">", "<", ">=", "<=", "~", "^"]
        switch arguments[1] {
        case .object, .array:
            break
        case .string(let symbol) where operators.contains(symbol):
            break
        case let other:
            let list = operators.joined(separator: " ")
            note(path.element(1), "expected one of \(list), found \(other.excerpt)")
        }
    }

    // MARK: fractional

    private mutating func checkFractional(_ arguments: [FlagValue], _ path: JSONPath) {
        // The first argument can be what is bucketed by.
        let isShorthand = arguments.first?.arrayValue != nil
        let entries = Array(arguments.enumerated()).dropFirst(isShorthand ? 0 : 1)
        if entries.isEmpty { note(path, "fractional needs at least one list of a variant and a weight") }
        var total = 0.0
        for (index, entry) in entries {
            switch entry {
            case .array(let parts):
                total += checkEntry(parts, path.element(index))
            case .object:
                break
            case .null, .bool, .int, .double, .string:
                note(
                    path.element(index),
                    "expected a list of a variant and a weight, found \(entry.kindWithArticle)")
            }
        }
        if total > RuleEvaluator.maximumTotal {
            note(path, "the weights add up to more than 2147483647; make them smaller")
        }
    }

    /// Checks an entry; gives its weight as far as it is known.
    private mutating func checkEntry(_ parts: [FlagValue], _ path: JSONPath) -> Double {
        guard (1...2).contains(parts.count) else {
            note(path, "expected a variant and perhaps a weight, found \(parts.count) elements")
            return 0
        }
        guard parts.count == 2 else { return 1 }
        switch parts[1] {
        case .object:
            return 0
        case .int(let weight) where weight >= 0:
            return Double(weight)
        case .double(let weight) where weight >= 0 && weight == weight.rounded():
            return weight
        default:
            note(path.element(1), "expected a weight, a whole number from 0 up, found \(parts[1].excerpt)")
            return 0
        }
    }

    // MARK: Results

    /// Checks that what a rule can plainly result in are names of variants.
    mutating func checkResults(_ rule: FlagValue, _ path: JSONPath, variants: [String], depth: Int = 0) {
        guard depth <= limits.ruleDepth else { return }
        switch rule {
        case .string(let name):
            checkResult(name, path, variants)
        case .bool(let value):
            checkResult(value ? "true" : "false", path, variants)
        case .object(let members) where members.count == 1:
            guard let (name, value) = members.first else { return }
            let path = path.member(name)
            if name == "if" || name == "?:" {
                guard case .array(let branches) = value else { return }
                for (index, branch) in branches.enumerated()
                where index % 2 == 1 || index == branches.count - 1 {
                    checkResults(branch, path.element(index), variants: variants, depth: depth + 2)
                }
            } else if name == "fractional", case .array(let entries) = value {
                for (index, entry) in entries.enumerated() {
                    guard case .array(let parts) = entry, case .string(let name)? = parts.first else {
                        continue
                    }
                    checkResult(name, path.element(index).element(0), variants)
                }
            }
        case .null, .int, .double, .array, .object:
            break
        }
    }

    private mutating func checkResult(_ name: String, _ path: JSONPath, _ variants: [String]) {
        guard !variants.isEmpty, !variants.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
            return
        }
        note(path, "the rule chooses \"\(name)\", which is not one of the flag's variants")
    }

    /// More are not listed of one rule: who has so many needs no list.
    private static let maximumCount = 200

    private mutating func note(_ path: JSONPath, _ message: String) {
        add(.error, path, message)
    }

    private mutating func warn(_ path: JSONPath, _ message: String) {
        add(.warning, path, message)
    }

    private mutating func add(_ severity: DefinitionProblem.Severity, _ path: JSONPath, _ message: String) {
        guard problems.count < Self.maximumCount else { return }
        problems.append(DefinitionProblem(severity, path: path.description, message: message))
    }
}
