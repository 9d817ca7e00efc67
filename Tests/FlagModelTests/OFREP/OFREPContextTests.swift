import FlagModel
import Testing

@Suite struct OFREPContextTests {
    @Test(
        arguments: [
            ("", [:]), ("{}", [:]), (#"{"context":{}}"#, [:]), (#"{"context":null}"#, [:]),
            (#"{"context":[1]}"#, [:]),
            (#"{"context":"user"}"#, [:]), (#"{"other":{"a":1}}"#, [:]),
            (
                #"{"context":{"targetingKey":"u","plan":"pro","n":{"x":[1,1.0]}}}"#,
                ["targetingKey": "u", "plan": "pro", "n": ["x": [1, 1.0]]]
            ),
            (#"{"context":{"targetingKey":7}}"#, ["targetingKey": 7]),
            (#"{"context":{"targetingKey":null,"a":1}}"#, ["targetingKey": nil, "a": 1]),
        ] as [(String, [String: FlagValue])])
    func reads(body: String, context: [String: FlagValue]) throws {
        #expect(try OFREPContext.parse(Array(body.utf8)) == context)
    }

    @Test(arguments: [
        ("{", "the body is not JSON: line 1, column 2: expected a name in quotes"),
        (" ", "the body is not JSON: line 1, column 2: expected a value"),
        ("[]", "the body must be a JSON object such as {\"context\": {\"targetingKey\": \"…\"}}"),
        ("null", "the body must be a JSON object such as {\"context\": {\"targetingKey\": \"…\"}}"),
    ])
    func refuses(body: String, details: String) {
        let refusal = #expect(throws: OFREPContext.Refusal.self) { try OFREPContext.parse(Array(body.utf8)) }
        #expect(refusal?.details == details)
    }

    @Test func refusesAContextThatIsTooDeep() {
        let deep = String(repeating: "{\"a\":", count: 1_000) + "1" + String(repeating: "}", count: 1_000)
        let refusal = #expect(throws: OFREPContext.Refusal.self) {
            try OFREPContext.parse(Array("{\"context\":\(deep)}".utf8))
        }
        #expect(refusal?.details.hasSuffix("nested deeper than 128 levels") == true)
    }

    @Test func equalContextsMakeEqualBodies() throws {
        let context = FlagContext(key: "u", attributes: ["b": 1, "a": ["y": 2, "x": 1.0]])
        let body = OFREPContext.body(for: context)
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"context":{"a":{"x":1.0,"y":2},"b":1,"targetingKey":"u"}}"#)
        #expect(try OFREPContext.parse(body) == context.members)
    }
}
