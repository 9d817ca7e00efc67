import FlagModel
import Testing

@testable import Flagstaff

@Suite struct FlagConvertibleTests {
    private enum Theme: String, FlagConvertible {
        case light
        case dark
    }

    private enum Level: Int, FlagConvertible {
        case low = 1
        case high = 2
    }

    private struct Size: FlagConvertible {
        var width: Int

        init?(flagValue: FlagValue) {
            guard let width = flagValue["width"]?.intValue else { return nil }
            self.width = Int(width)
        }
    }

    @Test func numbersConvertWhereNothingIsLost() {
        #expect(Int(flagValue: 1) == 1)
        #expect(Int(flagValue: 1.0) == 1)
        #expect(Int(flagValue: 1.5) == nil)
        #expect(Int(flagValue: .double(1e300)) == nil)
        #expect(Int(flagValue: .double(.infinity)) == nil)
        #expect(Int(flagValue: .double(.nan)) == nil)
        #expect(Double(flagValue: 2) == 2)
        #expect(Double(flagValue: 2.5) == 2.5)
    }

    @Test(
        arguments: [
            2_147_483_647, 2_147_483_648, -2_147_483_649, 9_007_199_254_740_991, 9_007_199_254_740_992,
            Int64.max, Int64.min,
        ] as [Int64])
    func integersStayExact(number: Int64) {
        #expect(Int64(flagValue: .int(number)) == number)
        #expect(Int(flagValue: .int(number)) == Int(exactly: number))
        #expect(Double(flagValue: .int(number)) == Double(exactly: number))
    }

    @Test func doubleRefusesIntegersThatItWouldRound() {
        #expect(Double(flagValue: .int(9_007_199_254_740_993)) == nil)
        #expect(Double(flagValue: .int(.max)) == nil)
        #expect(Int64(flagValue: .double(9_223_372_036_854_775_808)) == nil)
    }

    @Test func nothingIsGuessed() {
        #expect(Bool(flagValue: 1) == nil)
        #expect(Bool(flagValue: "true") == nil)
        #expect(Int(flagValue: true) == nil)
        #expect(Int(flagValue: "1") == nil)
        #expect(Double(flagValue: "1") == nil)
        #expect(String(flagValue: 1) == nil)
        #expect(String(flagValue: true) == nil)
        #expect(String(flagValue: []) == nil)
    }

    @Test func valuesAreTakenAsTheyAre() {
        for value in [FlagValue.null, true, 1, 1.0, "x", [1, "a"], ["a": ["b": 1]], [], [:]] {
            #expect(FlagValue(flagValue: value) == value)
        }
    }

    @Test func enumsReadTheirRawValues() {
        #expect(Theme(flagValue: "dark") == .dark)
        #expect(Theme(flagValue: "blue") == nil)
        #expect(Theme(flagValue: 1) == nil)
        #expect(Level(flagValue: 2.0) == .high)
        #expect(Level(flagValue: 3) == nil)
    }

    @Test func ownTypesReadWhatTheyLike() {
        #expect(Size(flagValue: ["width": 3])?.width == 3)
        #expect(Size(flagValue: []) == nil)
    }
}
