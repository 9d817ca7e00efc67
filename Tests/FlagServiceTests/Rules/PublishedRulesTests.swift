import FlagEvaluation
import FlagModel
import FlagStore
import Testing

@testable import FlagService

@Suite struct PublishedRulesTests {
    private func rules() throws -> PublishedRules {
        let published = PublishedRules(eventStreams: { _ in [] })
        let definition = try Sample.rules(["a": Sample.constant(["on": true], default: "on")])
        #expect(published.take(.rules(definition)))
        return published
    }

    private func view(_ sets: [String?], of rules: PublishedRules) throws -> FlagView {
        let selector = FlagSelector(choice: .flagSets(sets))
        return try #require(rules.view(as: FlagView.Identity(selector: selector, keyID: nil)))
    }

    @Test func combinationsOfSetsAreMadeOnce() throws {
        let rules = try rules()
        #expect(try view([nil, "x"], of: rules) === view([nil, "x"], of: rules))
        #expect(try view([nil, "x"], of: rules) !== view([nil, "y"], of: rules))
    }

    @Test func madeUpCombinationsTakeNoMoreThanTheirShareOfMemory() throws {
        let rules = try rules()
        for number in 0..<PublishedRules.maximumCombinations {
            let sets: [String?] = [nil, "x\(number)"]
            #expect(try view(sets, of: rules) === view(sets, of: rules))
        }
        // Answered all the same.
        let further = try view([nil, "further"], of: rules)
        #expect(further.selection.flags.map(\.key) == ["a"])
        #expect(try view([nil, "further"], of: rules) !== further)
        // Other rules begin anew.
        #expect(rules.take(.rules(try Sample.rules(["b": Sample.constant(["on": true], default: "on")]))))
        #expect(try view([nil, "further"], of: rules) === view([nil, "further"], of: rules))
    }
}
