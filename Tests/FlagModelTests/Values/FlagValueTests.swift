import FlagModel
import Testing

@Suite struct FlagValueTests {
    @Test func keepsWholeNumbersFractionsAndBooleansApart() {
        let values: [FlagValue] = [
            .int(1), .double(1), .bool(true), .string("1"), .array([1]), .object(["": 1]),
        ]
        for (index, value) in values.enumerated() {
            for (other, otherValue) in values.enumerated() {
                #expect((value == otherValue) == (index == other), "\(value) and \(otherValue)")
            }
        }
        #expect(Set(values).count == values.count)
    }

    @Test func keepsNothingApartFromFalseZeroAndEmpty() {
        let values: Set<FlagValue> = [.null, .bool(false), .int(0), .double(0), "", [], [:]]
        #expect(values.count == 7)
    }

    @Test func comparesTextByItsBytes() {
        let composed = FlagValue.string("caf\u{E9}")
        let decomposed = FlagValue.string("cafe\u{301}")
        #expect("caf\u{E9}" == "cafe\u{301}", "Swift strings are equal where their bytes are not")
        #expect(composed != decomposed)
        #expect(composed == .string("caf\u{E9}"))
        #expect(Set([composed, decomposed]).count == 2)
        #expect(FlagValue.array([composed]) != .array([decomposed]))
    }

    @Test func comparesContainersDeeply() {
        let left: FlagValue = ["a": [1, 2.5, nil], "b": ["c": true]]
        let right: FlagValue = ["b": ["c": true], "a": [1, 2.5, nil]]
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left != ["a": [1, 2.5, nil], "b": ["c": 1]])
        #expect(left != ["a": [2.5, 1, nil], "b": ["c": true]])
    }

    @Test func treatsBothZerosAsOneNumber() {
        #expect(FlagValue.double(0) == .double(-0.0))
        #expect(FlagValue.double(0).hashValue == FlagValue.double(-0.0).hashValue)
        #expect(FlagValue.double(.nan) != .double(.nan))
    }

    @Test func describesItselfAsSortedJSON() {
        let value: FlagValue = ["b": [1, 1.0, "x\n"], "a": nil]
        #expect(value.description == #"{"a":null,"b":[1,1.0,"x\n"]}"#)
    }
}
