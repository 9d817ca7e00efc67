import Testing

@testable import FlagEvaluation

@Suite struct NumberTextTests {
    @Test(
        arguments: [
            (0, "0"), (-0.0, "0"), (1, "1"), (-1.5, "-1.5"), (100, "100"), (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (1.234_567_890_123_456_8e20, "123456789012345680000"), (1.5e300, "1.5e+300"), (1e-6, "0.000001"),
            (1e-7, "1e-7"), (1.25e-7, "1.25e-7"), (0.1 + 0.2, "0.30000000000000004"),
            (.leastNonzeroMagnitude, "5e-324"),
            (9_007_199_254_740_992, "9007199254740992"),
            (1.797_693_134_862_315_7e308, "1.7976931348623157e+308"),
            (.infinity, "Infinity"), (-.infinity, "-Infinity"), (.nan, "NaN"), (123456.789, "123456.789"),
            (1e16, "10000000000000000"),
            (0.000_123, "0.000123"), (1.234_567_890_123_456_8e18, "1234567890123456800"),
        ] as [(Double, String)])
    func writesNumbersAsJavaScriptDoes(number: Double, text: String) {
        #expect(NumberText.text(number) == text)
    }

    @Test func writesWhatReadsBackAsTheSameNumber() {
        var bits: UInt64 = 1
        for _ in 0..<2000 {
            bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let number = Double(bitPattern: bits)
            guard number.isFinite else { continue }
            #expect(Double(NumberText.text(number)) == number)
        }
    }
}
