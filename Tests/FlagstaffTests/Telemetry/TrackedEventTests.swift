import FlagModel
import Testing

@testable import Flagstaff

@Suite struct TrackedEventTests {
    private func isAcceptable(_ name: String, _ value: Double? = nil, _ properties: [String: FlagValue] = [:])
        -> Bool
    {
        TelemetryBatch.Event(checking: name, value, properties, time: 0) != nil
    }

    @Test func acceptsWhatServicesAccept() {
        #expect(isAcceptable("checkout", 49.99, ["items": 3, "tags": ["a"], "gift": nil]))
        #expect(isAcceptable(String(repeating: "x", count: 256)))
        let most = Dictionary(uniqueKeysWithValues: (0..<300).map { ("\($0)", FlagValue.int(1)) })
        #expect(isAcceptable("e", nil, most))
    }

    @Test func refusesTheRest() {
        #expect(!isAcceptable(""))
        #expect(!isAcceptable(String(repeating: "x", count: 257)))
        #expect(!isAcceptable("e", .nan))
        #expect(!isAcceptable("e", .infinity))
        let many = Dictionary(uniqueKeysWithValues: (0..<301).map { ("\($0)", FlagValue.int(1)) })
        #expect(!isAcceptable("e", nil, many))
        #expect(!isAcceptable("e", nil, ["text": .string(String(repeating: "x", count: 32_768))]))
        var deep: FlagValue = 1
        for _ in 0..<8 { deep = [deep] }
        #expect(!isAcceptable("e", nil, ["deep": deep]))
    }
}
