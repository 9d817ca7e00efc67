import FlagModel
import Foundation
import Testing

@testable import FlagEvaluation

/// A file of cases: one JSON value a line.
enum Fixture {
    static func lines(_ name: String) throws -> [FlagValue] {
        let url = try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures/\(name)")
        let text = try String(contentsOf: url, encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONParser.parse(String($0)) }
    }
}

/// A definition, a flag of it, a context and what has to come out.
struct EvaluationCase: Sendable {
    let name: String
    let definition: FlagValue
    let key: String
    let context: EvaluationContext
    let result: [String: FlagValue]

    static func all(in file: String) throws -> [EvaluationCase] {
        try Fixture.lines(file).enumerated().map { index, line in
            EvaluationCase(
                name: "\(file):\(index + 1) (\(try #require(line["about"]?.stringValue)))",
                definition: try #require(line["flags"]),
                key: try #require(line["key"]?.stringValue),
                context: EvaluationContext(
                    attributes: try #require(line["context"]?.objectValue),
                    now: try #require(line["now"]?.intValue)),
                result: try #require(line["result"]?.objectValue))
        }
    }
}

extension FlagResolution {
    /// What the cases compare; the metadata only where a case names it.
    func members(like expected: [String: FlagValue]) -> [String: FlagValue] {
        var members: [String: FlagValue] = ["reason": .string(reason.rawValue)]
        members["value"] = value
        members["variant"] = variant.map { .string($0) }
        members["errorCode"] = errorCode.map { .string($0.rawValue) }
        if expected["metadata"] != nil { members["metadata"] = .object(metadata) }
        return members
    }
}
