import FlagModel
import Testing

@Suite struct FlagValueAccessorsTests {
    private static let one: [FlagValue] = [.null, true, 1, 1.5, "text", [1], ["name": 1]]

    @Test func eachAccessorReadsItsOwnKindOnly() {
        #expect(Self.one.map(\.boolValue) == [nil, true, nil, nil, nil, nil, nil])
        #expect(Self.one.map(\.intValue) == [nil, nil, 1, nil, nil, nil, nil])
        #expect(Self.one.map(\.doubleValue) == [nil, nil, 1, 1.5, nil, nil, nil])
        #expect(Self.one.map(\.stringValue) == [nil, nil, nil, nil, "text", nil, nil])
        #expect(Self.one.map(\.arrayValue) == [nil, nil, nil, nil, nil, [1], nil])
        #expect(Self.one.map(\.objectValue) == [nil, nil, nil, nil, nil, nil, ["name": 1]])
        #expect(Self.one.map(\.isNull) == [true, false, false, false, false, false, false])
    }

    @Test func namesTheKindInTheWordsOfJSON() {
        #expect(
            Self.one.map(\.kind) == ["null", "boolean", "number", "number", "string", "array", "object"])
    }

    @Test(
        arguments: [
            (FlagValue.int(1 << 31), Int64(1) << 31, 2_147_483_648.0),
            (.int(-(1 << 31) - 1), -2_147_483_649, -2_147_483_649.0),
            (.int(1 << 53), 1 << 53, 9_007_199_254_740_992.0),
            (.int((1 << 53) + 1), (1 << 53) + 1, nil),
            (.int((1 << 53) + 2), (1 << 53) + 2, 9_007_199_254_740_994.0),
            (.int(.max), .max, nil),
            (.int(.min), .min, -9_223_372_036_854_775_808.0),
            (.double(10), 10, 10.0),
            (.double(10.5), nil, 10.5),
            (.double(-0.0), 0, -0.0),
            (.double(9_223_372_036_854_774_784), 9_223_372_036_854_774_784, 9_223_372_036_854_774_784.0),
            (.double(9_223_372_036_854_775_808), nil, 9_223_372_036_854_775_808.0),
            (.double(-9_223_372_036_854_775_808), .min, -9_223_372_036_854_775_808.0),
            (.double(1e300), nil, 1e300),
            (.double(.infinity), nil, .infinity),
        ] as [(FlagValue, Int64?, Double?)])
    func convertsNumbersOnlyWithoutLoss(value: FlagValue, whole: Int64?, fraction: Double?) {
        #expect(value.intValue == whole)
        #expect(value.doubleValue == fraction)
    }

    @Test func readsMembersByName() {
        let value: FlagValue = ["name": 1, "nothing": nil]
        #expect(value["name"] == 1)
        #expect(value["nothing"] == .some(.null))
        #expect(value["other"] == Optional<FlagValue>.none)
        #expect(FlagValue.array([1])["name"] == Optional<FlagValue>.none)
    }
}
