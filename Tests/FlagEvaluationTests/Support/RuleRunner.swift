import FlagModel
import Testing

@testable import FlagEvaluation

/// Evaluates a rule by itself.
struct RuleRunner {
    var attributes: [String: FlagValue] = [:]
    var now: Int64 = 1_700_000_000
    var options = EvaluationOptions()

    /// The result as JSON with sorted names and numbers as JavaScript writes them; or "ERR".
    func result(_ rule: FlagValue, flagKey: String = "flagA") throws -> String {
        let compiled = try RuleCompiler.compile(rule, flagKey: flagKey, variants: [], options: options)
        let context = EvaluationContext(attributes: attributes, now: now)
        return compiled.rule.evaluate(context) { result in
            switch result {
            case .success(let term): term.kind == .undefined ? "null" : Self.text(term)
            case .failure: "ERR"
            }
        }
    }

    /// What went wrong in a rule, or `nil`.
    func fault(_ rule: FlagValue) throws -> RuleFault? {
        let compiled = try RuleCompiler.compile(rule, flagKey: "flagA", variants: [], options: options)
        let context = EvaluationContext(attributes: attributes, now: now)
        return compiled.rule.evaluate(context) { result in
            if case .failure(let fault) = result { fault } else { nil }
        }
    }

    static func text(_ term: Term) -> String {
        switch term.kind {
        case .undefined: return "undefined"
        case .null: return "null"
        case .bool: return term.boolean ? "true" : "false"
        case .number: return NumberText.text(term.number)
        case .wideInteger: return NumberText.text(Double(term.integer))
        case .string: return FlagValue.string(String(decoding: term.bytes, as: UTF8.self)).jsonText
        case .array: return "[" + term.elements.map(text).joined(separator: ",") + "]"
        case .object:
            let members = term.members.map { ("\(text($0.name))", text($0.value)) }.sorted { $0.0 < $1.0 }
            return "{" + members.map { "\($0.0):\($0.1)" }.joined(separator: ",") + "}"
        }
    }

    /// A value written as ``text(_:)`` writes results.
    static func text(_ value: FlagValue) -> String {
        var memory = TermMemory()
        defer { memory.deallocate() }
        return text(memory.term(of: value))
    }
}
