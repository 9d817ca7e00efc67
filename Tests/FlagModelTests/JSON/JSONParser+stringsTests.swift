import FlagModel
import Testing

@Suite struct JSONParserStringsTests {
    @Test(arguments: [
        (#""plain""#, "plain"),
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u00E9\u20ac""#, "Aéé€"),
        (#""\u0000""#, "\u{0}"),
        (#""\ud83d\udea9""#, "🚩"),
        (#""\uD800\uDC00\uDBFF\uDFFF""#, "\u{10000}\u{10FFFF}"),
        (
            "\"é€🚩\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\"",
            "é€🚩\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}"
        ),
        (#""before\nafter é \u00e9 🚩""#, "before\nafter é é 🚩"),
        ("\"\u{2028}\u{2029}\u{FEFF}\"", "\u{2028}\u{2029}\u{FEFF}"),
        (#""\uFEFF""#, "\u{FEFF}"),
        // Halves of surrogate pairs, which a Swift string cannot hold.
        (#""\ud800""#, "\u{FFFD}"),
        (#""\udc00""#, "\u{FFFD}"),
        (#""\ud800x""#, "\u{FFFD}x"),
        (#""\ud800\n""#, "\u{FFFD}\n"),
        (#""\ud800\u0041""#, "\u{FFFD}A"),
        (#""\ud800\ud83d\udea9""#, "\u{FFFD}🚩"),
        (#""\udea9\ud83d""#, "\u{FFFD}\u{FFFD}"),
    ])
    func reads(text: String, value: String) throws {
        #expect(try JSONParser.parse(text) == .string(value))
        #expect(try JSONParser.parse("{\(text):1}") == .object([value: 1]))
    }

    @Test(arguments: [
        #"""#, #""a"#, #""\"#, #""\""#, #""\x41""#, #""\a""#, #""\0""#, #""\'""#, #""\U0041""#, #""\ ""#,
        #""\u""#, #""\u1""#, #""\u12""#, #""\u123""#, #""\u123"#, #""\uG000""#, #""\u 123""#, #""\u+123""#,
        #""\u-123""#, #""\u12é4""#, #""\ud800\u""#, #""\ud800\u12""#, #""\ud800\x""#, #""\ud800\"#,
        "\"\n\"", "\"\r\"", "\"\t\"", "\"\u{0}\"", "\"\u{1F}\"", "\"\\n\u{1F}\"",
    ])
    func rejects(text: String) {
        #expect(throws: JSONError.self) { try JSONParser.parse(text) }
    }

    @Test(
        arguments: [
            ("a lone continuation byte", [0x80]),
            ("two continuation bytes", [0xBF, 0xBF]),
            ("a lead byte alone", [0xC3]),
            ("a lead byte before text", [0xC3, 0x41]),
            ("three bytes cut to two", [0xE2, 0x82]),
            ("three bytes with a bad third", [0xE2, 0x82, 0x41]),
            ("four bytes cut to three", [0xF0, 0x9F, 0x9A]),
            ("four bytes with a bad third", [0xF0, 0x9F, 0x41, 0xA9]),
            ("four bytes with a bad fourth", [0xF0, 0x9F, 0x9A, 0xC3]),
            ("an overlong slash of two bytes", [0xC0, 0xAF]),
            ("an overlong letter of two bytes", [0xC1, 0x81]),
            ("an overlong slash of three bytes", [0xE0, 0x80, 0xAF]),
            ("the last overlong of three bytes", [0xE0, 0x9F, 0xBF]),
            ("an overlong slash of four bytes", [0xF0, 0x80, 0x80, 0xAF]),
            ("the last overlong of four bytes", [0xF0, 0x8F, 0xBF, 0xBF]),
            ("the first surrogate", [0xED, 0xA0, 0x80]),
            ("the last surrogate", [0xED, 0xBF, 0xBF]),
            ("a surrogate pair", [0xED, 0xA0, 0xBD, 0xED, 0xBA, 0xA9]),
            ("past U+10FFFF", [0xF4, 0x90, 0x80, 0x80]),
            ("a lead of old four bytes", [0xF5, 0x80, 0x80, 0x80]),
            ("a lead of five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80]),
            ("0xFE", [0xFE]),
            ("0xFF", [0xFF]),
        ] as [(String, [UInt8])])
    func refusesTextThatIsNotUTF8(form: String, bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let forms: [(prefix: String, suffix: String)] = [
            ("", ""), ("ab", ""), ("é", "cd"), ("\\n", ""), ("a", "\\n"),
        ]
        for (prefix, suffix) in forms {
            let text = [quote] + Array(prefix.utf8) + bytes + Array(suffix.utf8) + [quote]
            let error = #expect(throws: JSONError.self, "\(form)") { try JSONParser.parse(text) }
            #expect(error?.message == "the string is not valid UTF-8")
            if bytes.count > 1, bytes[1] >= 0x80, bytes[0] >= 0xC0 {
                #expect(error?.offset == 1 + prefix.utf8.count, "\(form): the place is the first wrong byte")
            }
        }
        #expect(throws: JSONError.self, "outside a string: \(form)") {
            try JSONParser.parse(bytes + Array("1".utf8))
        }
    }

    @Test func doesNotPutAnEscapeTogetherWithHalfACharacter() {
        let text = [0x22, 0xC3] + Array(#"\u00a9"#.utf8) + [0x22]
        #expect(throws: JSONError.self) { try JSONParser.parse(text) }
    }
}
