import FlagModel
import Testing

@Suite struct JSONErrorTests {
    @Test(arguments: [
        ("", 1, 1, "expected a value"),
        ("[1,\n 2,\n x]", 3, 2, "expected a value"),
        ("[1 2]", 1, 4, "expected ',' or ']' after an element"),
        ("{\n  \"a\": 1\n  \"b\": 2\n}", 3, 3, "expected ',' or '}' after a member"),
        ("{\"a\" 1}", 1, 6, "expected ':' after a name"),
        ("{a: 1}", 1, 2, "expected a name in quotes"),
        ("1 1", 1, 3, "expected the end of the text"),
        ("[\"é🚩\", x]", 1, 8, "expected a value"),
        ("\r\n\r\nx", 3, 1, "expected a value"),
        ("[\"abc", 1, 2, "the string is not closed"),
        ("\"a\tb\"", 1, 3, "a control character in a string must be escaped"),
        ("\"a\\qb\"", 1, 3, "unknown escape in a string"),
        ("\"\\u12g4\"", 1, 6, "expected four hexadecimal digits after \\u"),
        ("01", 1, 1, "a number cannot start with 0"),
        ("-", 1, 2, "expected a digit"),
        ("1.", 1, 3, "expected a digit after '.'"),
        ("1e+", 1, 4, "expected a digit in the exponent"),
        ("[1, 1e400]", 1, 5, "the number 1e400 is too large"),
    ])
    func saysWhatAndWhere(text: String, line: Int, column: Int, message: String) {
        let error = #expect(throws: JSONError.self) { try JSONParser.parse(text) }
        #expect(error?.line == line)
        #expect(error?.column == column)
        #expect(error?.message == message)
    }

    @Test func aByteOrderMarkTakesNoColumn() {
        let error = #expect(throws: JSONError.self) { try JSONParser.parse("\u{FEFF}x") }
        #expect(error?.column == 1)
        #expect(error?.offset == 3)
    }

    @Test func describesThePlaceFirst() {
        let error = JSONError(message: "expected a value", line: 3, column: 7, offset: 40)
        #expect(error.description == "line 3, column 7: expected a value")
    }
}
