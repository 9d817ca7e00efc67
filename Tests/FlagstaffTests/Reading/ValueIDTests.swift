import FlagModel
import Testing

@testable import Flagstaff

@Suite struct ValueIDTests {
    @Test(
        arguments: [
            ("", "6ve2WrOl3mnciB6WIL2fIa"), ("hello", "1MoOW7eqAPjhZeoELVwO9G"),
            (true, "5WwjWyUjJCIPKe8JswMQVH"), (20, "7TnXEcrJqhI2XoeIgl7QI7"), (2.5, "5c3KnGCaTYhomotMcs0lya"),
        ] as [(FlagValue, String)])
    func knownValuesHaveTheirKnownHashes(value: FlagValue, id: String) {
        #expect(ValueID.text(of: value) == id)
    }

    @Test func valuesOfOneTextHaveOneHash() {
        #expect(ValueID.text(of: "true") == ValueID.text(of: true))
        #expect(ValueID.text(of: ["b": 1, "a": [1, "x"]]) == ValueID.text(of: "{\"a\":[1,\"x\"],\"b\":1}"))
        #expect(ValueID.text(of: 1) != ValueID.text(of: 1.0))
    }

    @Test func everyHashHas22Digits() {
        for number in 0..<2000 {
            let id = ValueID.text(of: .int(Int64(number)))
            #expect(id.utf8.count == 22)
            #expect(id.utf8.allSatisfy { ("0"..."9").contains(Character(UnicodeScalar($0))) || $0 >= 65 })
        }
    }

    @Test(
        arguments: [
            (0.0, "0.0"), (-0.0, "-0.0"), (2.0, "2.0"), (2.5, "2.5"), (1e21, "1000000000000000000000.0"),
            (1.5e300, "15" + String(repeating: "0", count: 299) + ".0"), (1e16, "10000000000000000.0"),
            (-1.25e17, "-125000000000000000.0"), (1e-5, "0.00001"), (-1.5e-7, "-0.00000015"),
            (0.1, "0.1"), (123_456.789, "123456.789"),
        ])
    func numbersAreWrittenWithoutExponents(number: Double, text: String) {
        #expect(FlagValue.double(number).plainText == text)
        #expect(Double(text) == number)
    }
}
