import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite struct FlagReaderTests {
    private func snapshot(
        _ flags: [FlagResolution], metadata: [String: FlagValue] = [:]
    ) -> FlagSnapshot {
        FlagSnapshot.empty.replaced(
            by: BulkEvaluation(flags: flags, metadata: metadata), etag: nil, context: FlagContext(key: "u"),
            time: Date(timeIntervalSince1970: 0))
    }

    @Test func givesTheServedValueWithEverythingAboutIt() {
        let reader = snapshot([
            FlagResolution(
                key: "theme", value: "dark", variant: "b", reason: .targetingMatch, metadata: ["version": 3])
        ])
        #expect(
            reader.evaluation(of: "theme", default: "light")
                == FlagEvaluation(
                    key: "theme", value: "dark", isDefault: false, variant: "b", reason: .targetingMatch,
                    metadata: ["version": 3]))
        #expect(reader.value(for: "theme", default: "light") == "dark")
    }

    @Test func typeMismatchGivesTheDefaultAndSaysSo() {
        let reader = snapshot([FlagResolution(key: "n", value: "ten", variant: "a", reason: .static)])
        let evaluation = reader.evaluation(of: "n", default: 10)
        #expect(evaluation.value == 10)
        #expect(evaluation.isDefault)
        #expect(evaluation.reason == .error)
        #expect(evaluation.errorCode == .typeMismatch)
        #expect(evaluation.errorDetails == "flag 'n' serves a string that is no Int")
        #expect(evaluation.variant == nil)
        #expect(reader.value(for: "n", default: 10) == 10)
    }

    @Test func codeDefaultIsNoError() {
        let reader = snapshot([
            FlagResolution(key: "off", variant: "x", reason: .disabled, metadata: ["a": 1])
        ])
        let evaluation = reader.evaluation(of: "off", default: 10)
        #expect(evaluation.value == 10)
        #expect(evaluation.isDefault)
        #expect(evaluation.reason == .disabled)
        #expect(evaluation.errorCode == nil)
        #expect(evaluation.variant == "x")
        #expect(evaluation.metadata == ["a": 1])
    }

    @Test func failureOfAFlagGivesTheDefaultAndTheServicesWords() {
        let reader = snapshot([
            FlagResolution(
                key: "broken", value: 5, reason: .error, errorCode: .parseError,
                errorDetails: "no such variant")
        ])
        let evaluation = reader.evaluation(of: "broken", default: 1)
        #expect(evaluation.value == 1)
        #expect(evaluation.errorCode == .parseError)
        #expect(evaluation.errorDetails == "no such variant")
        #expect(reader.value(for: "broken", default: 1) == 1)
    }

    @Test func unknownFlagCarriesTheSetsMetadata() {
        let reader = snapshot([], metadata: ["flagSetId": "app"])
        let evaluation = reader.evaluation(of: "none", default: true)
        #expect(evaluation.value)
        #expect(evaluation.reason == .error)
        #expect(evaluation.errorCode == .flagNotFound)
        #expect(evaluation.metadata == ["flagSetId": "app"])
    }

    @Test func beforeTheFirstValuesTheClientIsNotReady() {
        let evaluation = FlagSnapshot.empty.evaluation(of: "a", default: 1.5)
        #expect(evaluation.value == 1.5)
        #expect(evaluation.errorCode == .providerNotReady)
        #expect(!FlagSnapshot.empty.isEnabled("a"))
        #expect(FlagSnapshot.empty.isEnabled("a", default: true))
    }

    @Test func defaultsAreReturnedUnchanged() {
        let reader = FlagSnapshot.empty
        #expect(reader.value(for: "a", default: Int64.max) == .max)
        #expect(reader.value(for: "a", default: 0.1) == 0.1)
        #expect(reader.value(for: "a", default: FlagValue.object([:])) == .object([:]))
        #expect(reader.value(for: "a", default: -0.0).sign == .minus)
    }

    @Test func declaredKeysCarryTypeAndDefault() {
        let reader = snapshot([FlagResolution(key: "new-checkout", value: true, reason: .static)])
        #expect(reader[.newCheckout])
        #expect(reader[.maximumItems] == 20)
        #expect(reader.evaluation(of: .maximumItems).errorCode == .flagNotFound)
    }
}

extension FlagKey<Bool> {
    fileprivate static var newCheckout: Self { Self("new-checkout", default: false) }
}

extension FlagKey<Int> {
    fileprivate static var maximumItems: Self { Self("max-items", default: 20) }
}
