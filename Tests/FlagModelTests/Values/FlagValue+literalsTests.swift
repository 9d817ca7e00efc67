import FlagModel
import Testing

@Suite struct FlagValueLiteralsTests {
    @Test func everyLiteralMakesItsKind() {
        let count = 3
        let values: [FlagValue] = [nil, true, 7, 7.0, "text", "\(count) items", [1, "a"], ["k": [nil]]]
        #expect(
            values == [
                .null, .bool(true), .int(7), .double(7), .string("text"), .string("3 items"),
                .array([.int(1), .string("a")]), .object(["k": .array([.null])]),
            ])
    }

    @Test func keepsAll64BitsOfALiteral() {
        let values: [FlagValue] = [9_223_372_036_854_775_807, -9_223_372_036_854_775_808]
        #expect(values == [.int(.max), .int(.min)])
    }

    @Test func keepsTheLastOfTwoMembersWithOneName() {
        let value: FlagValue = ["a": 1, "a": 2]
        #expect(value == .object(["a": 2]))
    }

    @Test func anEmptyDictionaryLiteralIsAnObject() {
        let object: FlagValue = [:]
        let array: FlagValue = []
        #expect(object == .object([:]))
        #expect(array == .array([]))
    }
}
