import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite struct FlagEvaluationTests {
    private func snapshot(
        _ flags: [FlagResolution], metadata: [String: FlagValue] = [:], origins: [String: FlagOrigin] = [:]
    ) -> FlagSnapshot {
        FlagSnapshot(
            contents: .init(
                context: FlagContext(key: "u"),
                resolutions: Dictionary(uniqueKeysWithValues: flags.map { ($0.key, $0) }), metadata: metadata,
                etag: nil, version: 1, updated: Date(timeIntervalSince1970: 0), isStale: false,
                origin: .cache,
                origins: origins))
    }

    @Test func isOneLineInWords() {
        let reader = snapshot([
            FlagResolution(
                key: "theme", value: "dark", variant: "night", reason: .targetingMatch,
                metadata: ["version": 3])
        ])
        #expect(
            "\(reader.evaluation(of: "theme", default: "light"))"
                == "theme = dark (TARGETING_MATCH, variant night, version 3, from cache)")
        let missing = "\(reader.evaluation(of: "n", default: 1))"
        #expect(missing.hasPrefix("n = 1 (ERROR, from default, FLAG_NOT_FOUND: "))
    }

    @Test func tellsAllThatIsKnown() {
        let reader = snapshot(
            [
                FlagResolution(
                    key: "theme", value: "hello", reason: .static,
                    metadata: ["version": 3, "flagSets": "web,app"]),
                FlagResolution(key: "n", value: 1, reason: .static),
            ], metadata: ["flagSetId": "common", "version": "9"], origins: ["n": .override])
        let theme = reader.evaluation(of: "theme", default: "light")
        #expect(theme.version == "3")
        #expect(theme.flagSets == ["app", "web"])
        #expect(theme.valueID == "1MoOW7eqAPjhZeoELVwO9G")
        #expect(theme.origin == .cache)
        #expect(theme.context == FlagContext(key: "u"))
        let number = reader.evaluation(of: "n", default: 0.5)
        #expect(number.version == nil)
        #expect(number.flagSets == ["common"])
        #expect(number.origin == .override)
        #expect(number.valueID == ValueID.text(of: 1))
    }

    @Test func defaultsHaveNoHashAndTheirOwnOrigin() {
        let reader = snapshot([
            FlagResolution(key: "n", value: "x", reason: .static, metadata: ["version": 3])
        ])
        let mismatch = reader.evaluation(of: "n", default: 1)
        #expect(mismatch.valueID == nil)
        #expect(mismatch.origin == .default)
        #expect(mismatch.version == "3")
        let unknown = reader.evaluation(of: "none", default: 1)
        #expect(unknown.valueID == nil)
        #expect(unknown.origin == .default)
        #expect(unknown.flagSets == [])
    }

    @Test func evaluationMadeByHandFollowsItsMetadata() {
        var evaluation = FlagEvaluation(
            key: "a", value: 1, isDefault: false, reason: .static,
            metadata: ["version": "7", "flagSetId": "web"])
        #expect(evaluation.version == "7")
        #expect(evaluation.flagSets == ["web"])
        #expect(evaluation.origin == .network)
        #expect(evaluation.valueID == nil)
        evaluation.valueID = "x"
        #expect(evaluation.valueID == "x")
        #expect(
            FlagEvaluation(key: "a", value: 1, isDefault: true, reason: .default, valueID: "y").origin
                == .default)
    }

    @Test func hashIsComputedOnceForAllReadsOfAValue() {
        let table = ReadTable()
        table.store(snapshot([FlagResolution(key: "a", value: "hello", reason: .static)]))
        let first = table.evaluation("a", default: "")
        let second = table.evaluation("a", default: FlagValue.null)
        guard case .served(let one) = first.identity, case .served(let two) = second.identity else {
            Issue.record("the evaluations do not know what they come from")
            return
        }
        #expect(one === two)
        #expect(first.valueID == "1MoOW7eqAPjhZeoELVwO9G")
    }

    @Test func flagsAreListedByNameAndBySet() {
        let reader = snapshot(
            [
                FlagResolution(key: "b", value: 1, reason: .static, metadata: ["flagSets": "web,app"]),
                FlagResolution(key: "a", value: 1, reason: .static, metadata: ["flagSetId": "web"]),
                FlagResolution(key: "c", value: 1, reason: .static),
            ], metadata: ["flagSetId": "common"])
        #expect(reader.names == ["a", "b", "c"])
        #expect(reader.allFlags.keys.sorted() == ["a", "b", "c"])
        #expect(reader.flags(inSets: ["web"]).map(\.key) == ["a", "b"])
        #expect(reader.flags(inSets: ["app", "web"]).map(\.key) == ["a", "b"])
        #expect(reader.flags(inSets: ["common"]).map(\.key) == ["c"])
        #expect(reader.flags(inSets: []).isEmpty)
        #expect(reader.flags(inSets: ["none"]).isEmpty)
    }
}
