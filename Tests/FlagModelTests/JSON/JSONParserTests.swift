import FlagModel
import Testing

@Suite struct JSONParserTests {
    @Test(
        arguments: [
            ("null", .null),
            ("true", true),
            ("false", false),
            ("0", 0),
            (" \t\r\n1 \t\r\n", 1),
            ("\u{FEFF}1", 1),
            ("\"\"", ""),
            ("[]", []),
            ("[ ]", []),
            ("{}", [:]),
            ("{ }", [:]),
            ("[1,2]", [1, 2]),
            ("[ 1 , 2 ]", [1, 2]),
            ("[[],[[]],{}]", [[], [[]], [:]]),
            ("[null,null]", [nil, nil]),
            ("{\"a\":1}", ["a": 1]),
            ("{\"\":0}", ["": 0]),
            ("{ \"a\" : { \"b\" : [ true , { } ] } }", ["a": ["b": [true, [:]]]]),
            ("{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5}", ["a": 1, "b": 2, "c": 3, "d": 4, "e": 5]),
            ("{\"a\":1,\"a\":2}", ["a": 2]),
            ("{\"a\":null,\"\\u0061\":2}", ["a": 2]),
            ("[\"[1,2]\",\"{}\",\",\"]", ["[1,2]", "{}", ","]),
        ] as [(String, FlagValue)])
    func accepts(text: String, value: FlagValue) throws {
        #expect(try JSONParser.parse(text) == value)
        #expect(try JSONParser.parse(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        // Nothing, or more than one value.
        "", " ", "\u{FEFF}", "1 2", "true false", "[] []", "{}{}", "1,", ",", "[1]]", "{}}", "nullnull",
        // Words.
        "nul", "nulL", "NULL", "True", "tru", "truee", "fals", "undefined", "NaN", "Infinity", "-Infinity",
        "nan", "-NaN", "None",
        // Arrays.
        "[", "]", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1;2]", "[1:2]", "[\"a\":1]", "[1}",
        "[", "[[", "[[]", "[1,[2]",
        // Objects.
        "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{,\"a\":1}",
        "{\"a\":1,,\"b\":2}", "{\"a\" 1}", "{\"a\",1}", "{\"a\"::1}", "{\"a\":1 \"b\":2}", "{\"a\":1]",
        "{a:1}", "{'a':1}", "{1:1}", "{null:1}", "{[]:1}", "{\"a\":}", "{:1}", "{\"a\"=1}",
        // Things that are JSON in other dialects.
        "// a\n1", "1 // a", "/* a */ 1", "[1/**/]", "# a\n1", "'a'", "`a`", "{\"a\":1;}", "(1)", "<1>", "$1",
        "\u{A0}1", "\u{2028}1", "\u{0B}1", "\u{0C}1", "1\u{0}", "\u{0}", "\u{FEFF}\u{FEFF}1", "1\u{FEFF}",
    ])
    func rejects(text: String) {
        #expect(throws: JSONError.self) { try JSONParser.parse(text) }
        #expect(throws: JSONError.self) { try JSONParser.parse(Array(text.utf8)) }
    }

    @Test func everyPrefixOfADocumentIsAnErrorAtItsPlace() throws {
        let document = """
            {
              "flags": [ true, false, null, -12.5e+3, 0, "Gr\u{FC}\u{DF}e \\u00fc\\ud83d\\udea9\\n" ],
              "\u{1F6A9}": { "nested": { "empty": [], "none": {} } }
            }
            """
        let bytes = Array(document.utf8)
        _ = try JSONParser.parse(bytes)
        for length in 0..<bytes.count {
            let prefix = Array(bytes[..<length])
            let error = #expect(throws: JSONError.self) { try JSONParser.parse(prefix) }
            guard let error else { continue }
            #expect((0...length).contains(error.offset), "after \(length) bytes: \(error)")
            let before = String(decoding: prefix[..<error.offset], as: UTF8.self)
            let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(error.line == lines.count, "after \(length) bytes: \(error)")
            #expect(
                error.column == (lines.last?.unicodeScalars.count ?? 0) + 1, "after \(length) bytes: \(error)"
            )
        }
    }

    @Test func anyByteChangedNeverCrashes() {
        let bytes = Array(#"{"a":[1.5e3,-0,"x\u00e9\n",true,null],"b":{"c":"é🚩"}}"#.utf8)
        var accepted = 0
        for position in bytes.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = bytes
                changed[position] = byte
                guard let value = try? JSONParser.parse(changed) else { continue }
                accepted += 1
                #expect((try? FlagValue(json: value.jsonText)) == value)
            }
        }
        #expect(accepted > bytes.count, "each byte unchanged, and digits and letters in its place")
        #expect(accepted < bytes.count * 128)
    }
}
