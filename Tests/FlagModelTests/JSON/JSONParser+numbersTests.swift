import FlagModel
import Testing

@Suite struct JSONParserNumbersTests {
    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("1", 1), ("-1", -1), ("10", 10), ("1234567890", 1_234_567_890),
            ("2147483647", 2_147_483_647), ("2147483648", 2_147_483_648), ("-2147483649", -2_147_483_649),
            ("9007199254740991", 9_007_199_254_740_991), ("9007199254740993", 9_007_199_254_740_993),
            ("9223372036854775806", .int(.max - 1)), ("9223372036854775807", .int(.max)),
            ("-9223372036854775807", .int(.min + 1)), ("-9223372036854775808", .int(.min)),
            ("9223372036854775808", .double(9_223_372_036_854_775_808)),
            ("-9223372036854775809", .double(-9_223_372_036_854_775_808)),
            ("18446744073709551615", .double(0x1p64)),
            ("18446744073709551616", .double(0x1p64)),
            ("100000000000000000000", 1e20), ("1.0", 1.0), ("-1.0", -1.0), ("1e0", 1.0), ("1E0", 1.0),
            ("1e+2", 100.0), ("1e-2", 0.01), ("1.5E+3", 1500.0), ("0.1", 0.1),
            ("0.30000000000000004", 0.30000000000000004),
            ("1e22", 1e22), ("1e23", 1e23), ("9007199254740993.0", 9_007_199_254_740_992.0),
            ("5e-324", .double(Double(bitPattern: 1))),
            ("2.2250738585072011e-308", .double(Double.leastNormalMagnitude.nextDown)),
            ("1.7976931348623157e308", 1.7976931348623157e308), ("1e-400", 0.0), ("0e999999999999", 0.0),
            ("0.000000000000000000000000000000000000000001", 1e-42),
            ("123456789012345678901234567890", 1.2345678901234568e29),
            ("1e00000000000000000002", 100.0),
        ] as [(String, FlagValue)])
    func reads(text: String, value: FlagValue) throws {
        #expect(try JSONParser.parse(text) == value)
        #expect(try JSONParser.parse("[\(text)]") == [value])
    }

    @Test func keepsTheSignOfANegativeZeroFraction() throws {
        let zero = try JSONParser.parse("-0.0").doubleValue
        #expect(zero?.sign == .minus)
        #expect(try JSONParser.parse("-0.0").jsonText == "-0.0")
        #expect(try JSONParser.parse("-0e0").jsonText == "-0.0")
    }

    @Test(arguments: [
        "-", "+1", "--1", "- 1", "00", "01", "-01", "00.5", "1.", ".5", "-.5", "1.e1", "1e", "1e+", "1e-",
        "1e1.5",
        "1e 1", "1ee1", "1.2.3", "0x10", "1_000", "1,000.0", "1f", "1n", "1/2", "１", "1e400", "-1e400",
        "1e99999999999999999999",
        "1.8e308",
    ])
    func rejects(text: String) {
        #expect(throws: JSONError.self) { try JSONParser.parse(text) }
    }

    @Test func agreesBitForBitWithTheStandardLibraryOnRandomDecimals() throws {
        var generator = SeededGenerator(seed: 8259)
        for _ in 0..<10_000 {
            let text = Self.decimal(using: &generator)
            let expected = try #require(Double(text))
            if expected.isFinite {
                let value = try JSONParser.parse(text)
                guard case .double(let number) = value else {
                    Issue.record("\(text) was not read as a double but as \(value)")
                    continue
                }
                #expect(number.bitPattern == expected.bitPattern, "\(text)")
            } else {
                #expect(throws: JSONError.self, "\(text)") { try JSONParser.parse(text) }
            }
        }
    }

    @Test func readsItsOwnRandomWholeNumbersExactly() throws {
        var generator = SeededGenerator(seed: 64)
        for _ in 0..<10_000 {
            let number = Int64(bitPattern: generator.next()) >> Int64.random(in: 0..<64, using: &generator)
            #expect(try JSONParser.parse(number.description) == .int(number))
        }
    }

    /// A number with a fraction, an exponent or both, up to 25 digits and beyond the range of a double.
    private static func decimal(using generator: inout SeededGenerator) -> String {
        let digits = { (generator: inout SeededGenerator, count: Int) in
            String((0..<count).map { _ in "0123456789".randomElement(using: &generator) ?? "0" })
        }
        var text = generator.chance(50) ? "-" : ""
        let whole = digits(&generator, Int.random(in: 1...(generator.chance(80) ? 8 : 25), using: &generator))
        text += whole.first == "0" ? "0" : whole
        let hasExponent = generator.chance(60)
        if !hasExponent || generator.chance(70) {
            text +=
                "."
                + digits(&generator, Int.random(in: 1...(generator.chance(80) ? 8 : 25), using: &generator))
        }
        if hasExponent {
            let range = generator.chance(70) ? -25...25 : -345...310
            text += (generator.chance(50) ? "e" : "E") + String(Int.random(in: range, using: &generator))
        }
        return text
    }
}
