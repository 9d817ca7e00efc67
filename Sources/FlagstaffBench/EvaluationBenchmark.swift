import FlagEvaluation
import FlagModel
import Foundation

/// How long evaluating one flag takes: rules are loaded and the context is made beforehand.
enum EvaluationBenchmark {
    /// Measures each case of a file that has a targeted flag.
    ///
    /// - Parameter arguments: The path of a file with lines `{"flags", "key", "context", "now"}`.
    /// - Throws: When the file cannot be read.
    static func run(_ arguments: [String]) throws {
        guard let path = arguments.first else { throw Fault(description: "the file with cases is missing") }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for (index, line) in text.split(separator: "\n").enumerated() {
            guard let measured = try nanoseconds(forCase: String(line)) else { continue }
            print("{\"case\":\(index + 1),\"nanoseconds\":\(measured)}")
        }
    }

    private struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private static func nanoseconds(forCase line: String) throws -> Double? {
        let value = try JSONParser.parse(line)
        guard let definition = value["flags"], let key = value["key"]?.stringValue,
            let attributes = value["context"]?.objectValue
        else { throw Fault(description: "a line is no case") }
        let ruleset = try Ruleset(definition: definition)
        guard let flag = ruleset.flag(key), flag.isEnabled, flag.hasTargeting else { return nil }
        let context = EvaluationContext(attributes: attributes, now: value["now"]?.intValue ?? 0)
        return Stopwatch.nanoseconds { consume(flag.evaluate(context)) }
    }

    /// Keeps the compiler from leaving out what nobody looks at.
    @inline(never)
    private static func consume(_ outcome: Outcome) {
        withExtendedLifetime(outcome) {}
    }
}
