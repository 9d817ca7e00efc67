import Testing

@testable import FlagEvaluation

@Suite struct NumberParsingTests {
    private func number(_ text: String) -> Double {
        var text = text
        return text.withUTF8 { NumberParsing.number(UnsafeRawBufferPointer($0)) }
    }

    private func leadingNumber(_ text: String) -> Double {
        var text = text
        return text.withUTF8 { NumberParsing.leadingNumber(UnsafeRawBufferPointer($0)) }
    }

    @Test(
        arguments: [
            ("", 0), (" \t\n", 0), ("12", 12), ("-12.5", -12.5), ("+3", 3), (".5", 0.5), ("5.", 5),
            ("1e3", 1000),
            ("1E-2", 0.01), ("0x1F", 31), ("0o17", 15), ("0b11", 3), ("Infinity", .infinity),
            ("-Infinity", -.infinity),
            ("\u{feff}7\u{3000}", 7), ("0.1", 0.1), ("123456789012345678901234567890", 1.2345678901234568e29),
            ("1e400", .infinity), ("1e-400", 0), ("0.00000000000000000000000000001", 1e-29), ("00012", 12),
            ("9007199254740993", 9_007_199_254_740_992), ("5e-324", .leastNonzeroMagnitude),
            ("2.2250738585072014e-308", 0x1p-1022),
            ("000000000000000000000000000000000000001", 1), ("1.0000000000000000000000000000001", 1),
        ] as [(String, Double)])
    func readsNumbers(text: String, expected: Double) {
        #expect(number(text) == expected)
        #expect(number("  \(text)") == expected)
    }

    @Test(arguments: [
        "abc", "1 2", "1_000", "0x", "0xg", "-0x10", "inf", "nan", "NaN", "infinity", "1e", "e5", ".", "-",
        "1.2.3",
        "１２", "0x1p3", "1d", "--1",
    ])
    func refusesWhatIsNoNumber(text: String) {
        #expect(number(text).isNaN)
    }

    @Test(
        arguments: [
            ("1.5abc", 1.5), ("12px", 12), ("1e", 1), ("1e+", 1), ("-.5.5", -0.5), ("0x10", 0),
            ("Infinitya", .infinity),
            ("  7 8", 7), ("1_000", 1), ("5.", 5),
        ] as [(String, Double)])
    func readsNumbersAtTheBeginning(text: String, expected: Double) {
        #expect(leadingNumber(text) == expected)
    }

    @Test(arguments: ["", " ", "abc", "-", ".", "e1", "+-1"])
    func findsNoNumberAtTheBeginning(text: String) {
        #expect(leadingNumber(text).isNaN)
    }
}
