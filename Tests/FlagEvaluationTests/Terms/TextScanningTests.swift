import Testing

@testable import FlagEvaluation

@Suite struct TextScanningTests {
    private func contains(_ haystack: String, _ needle: String) -> Bool {
        Array(haystack.utf8).withUnsafeBytes { haystack in
            Array(needle.utf8).withUnsafeBytes { TextScanning.contains(haystack, $0) }
        }
    }

    private func precedes(_ left: String, _ right: String) -> Bool {
        Array(left.utf8).withUnsafeBytes { left in
            Array(right.utf8).withUnsafeBytes { TextScanning.precedes(left, $0) }
        }
    }

    @Test func findsPartsOfTexts() {
        #expect(contains("hello", ""))
        #expect(contains("hello", "hello"))
        #expect(contains("hello", "lo"))
        #expect(!contains("hello", "ol"))
        #expect(!contains("lo", "hello"))
        #expect(!contains("", "a"))
    }

    @Test func findsLongPartsOfLongTexts() {
        let text = String(repeating: "abababac", count: 400)
        #expect(contains(text, String(repeating: "abababac", count: 5)))
        #expect(contains(text, "bac" + String(repeating: "abababac", count: 9) + "aba"))
        #expect(!contains(text, String(repeating: "abababab", count: 5)))
        #expect(contains(text + "the needle at the end", "the needle at the end"))
    }

    @Test func ordersAsUTF16Does() {
        let texts = [
            "", "a", "ab", "b", "é", "\u{7FF}", "\u{800}", "\u{D7FF}", "😀", "😁", "\u{E000}", "\u{FFEE}", "x😀",
            "x\u{FFEE}",
        ]
        for left in texts {
            for right in texts {
                let expected = left.utf16.lexicographicallyPrecedes(right.utf16)
                #expect(precedes(left, right) == expected, "\(left) \(right)")
            }
        }
    }

    @Test func countsUnits() {
        for text in ["", "abc", "é", "日本", "😀x", "e\u{301}"] {
            let count = Array(text.utf8).withUnsafeBytes { TextScanning.unitCount($0) }
            #expect(count == text.utf16.count, "\(text)")
        }
    }
}
