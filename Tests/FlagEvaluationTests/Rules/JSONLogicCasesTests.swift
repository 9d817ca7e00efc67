import FlagModel
import Testing

@testable import FlagEvaluation

/// Rules with the answers of the JavaScript reference.
@Suite struct JSONLogicCasesTests {
    @Test func answersAsTheReferenceDoes() throws {
        var lines = try Fixture.lines("jsonlogic.jsonl")
        let runner = try runner(lines.removeFirst())
        #expect(lines.count > 350)
        for line in lines {
            let fields = try #require(line.arrayValue)
            let expected = try #require(fields[2].stringValue)
            // The context comes with `$flagd`, which the evaluator adds itself.
            #expect(try runner.result(fields[1]) == Self.normalized(expected), "\(fields[0]) \(fields[1])")
        }
    }

    @Test func answersAsTheReferenceDoesWhereNothingIsKnownInAdvance() throws {
        // The same rules with every literal read from the context, so that nothing is computed when
        // compiling.
        var lines = try Fixture.lines("jsonlogic.jsonl")
        let original = try runner(lines.removeFirst())
        var compared = 0
        for line in lines {
            let fields = try #require(line.arrayValue)
            guard case .object(let members) = fields[1], members.count == 1, let name = members.keys.first,
                name != "var", !name.hasPrefix("missing"), case .array(let arguments)? = members[name],
                !arguments.contains(where: { $0.arrayValue != nil || $0.objectValue != nil })
            else { continue }
            var runner = original
            var variables: [FlagValue] = []
            for (index, argument) in arguments.enumerated() {
                runner.attributes["literal\(index)"] = argument
                variables.append(["var": .string("literal\(index)")])
            }
            let expected = try Self.normalized(try #require(fields[2].stringValue))
            #expect(try runner.result([name: .array(variables)]) == expected, "\(fields[1])")
            compared += 1
        }
        #expect(compared > 100)
    }

    @Test(arguments: FractionalScheme.allCases)
    func answersAsFlagdDoes(scheme: FractionalScheme) throws {
        var lines = try Fixture.lines("flagd-operators.jsonl")
        var runner = try runner(lines.removeFirst())
        runner.options.fractional = scheme
        #expect(lines.count > 50)
        for line in lines {
            let rule = try #require(line["rule"])
            let expected = RuleRunner.text(try #require(line[scheme.rawValue]))
            #expect(try runner.result(rule) == expected, "\(rule)")
            // The same inside a condition that is known only when evaluating.
            let nested: FlagValue = ["if": [["var": "t"], rule]]
            #expect(try runner.result(nested) == expected, "\(nested)")
        }
    }

    private func runner(_ header: FlagValue) throws -> RuleRunner {
        RuleRunner(attributes: try #require(header["context"]?.objectValue))
    }

    private static func normalized(_ expected: String) throws -> String {
        switch expected {
        case "ERR", "NaN": expected
        case "Inf": "Infinity"
        default: RuleRunner.text(try JSONParser.parse(expected))
        }
    }
}
