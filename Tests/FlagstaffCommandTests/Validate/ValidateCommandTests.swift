import Testing

@testable import FlagstaffCommand

@Suite struct ValidateCommandTests {
    private let recorder = Recorder()

    @Test func acceptsASoundFile() async throws {
        let path = try fixture("shop.flagd.json")
        #expect(await recorder.run("validate", path) == .success)
        #expect(recorder.output == "\(path): 3 flags, no problems\n")
    }

    @Test func listsEveryProblemWithItsPath() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file(
            "flags.json",
            """
            {"flags": {"a": {"state": "ON", "variants": {}, "targeting": {"?:": [{"nosuch": 1}, "x"]}},
                       "b c": {"state": "ENABLED", "variants": {"x": 1, "x": 2}, "defaultVariant": "y"}}}
            """)
        #expect(await recorder.run("validate", path) == .failure)
        #expect(
            recorder.lines
                == [
                    "error: $.flags[\"b c\"].variants.x: the name stands more than once in its object; only the last one counts",
                    "error: $.flags.a.state: expected \"ENABLED\" or \"DISABLED\", found \"ON\"",
                    "error: $.flags.a.variants: a flag needs at least one variant",
                    "warning: $.flags.a.targeting[\"?:\"]: \"?:\" works here, but is not part of flagd's schema",
                    "error: $.flags.a.targeting[\"?:\"][0].nosuch: there is no operator \"nosuch\"",
                    "error: $.flags[\"b c\"].defaultVariant: \"y\" is not one of the flag's variants (\"x\")",
                    "\(path): 2 flags, 5 problems, 1 warning",
                ])
    }

    @Test func doesNotCountWarnings() async throws {
        let folder = try TemporaryFolder()
        let flag = "{\"state\":\"ENABLED\",\"variants\":{\"x\":1},\"targeting\":{\"log\":[\"x\"]}}"
        let path = try folder.file("flags.json", "{\"flags\":{\"a\":\(flag)}}")
        #expect(await recorder.run("validate", path) == .success)
        #expect(recorder.lines.last == "\(path): 1 flag, no problems, 1 warning")
    }

    @Test func printsObjectsForPrograms() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("flags.json", "{\"flags\":{\"a\":1}}")
        #expect(await recorder.run("validate", "--json", path) == .failure)
        #expect(
            recorder.lines == [
                "{\"flag\":\"a\",\"message\":\"expected an object, found a number\",\"path\":\"$.flags.a\",\"severity\":\"error\"}"
            ])
    }

    @Test(arguments: [
        ("{\n  \"flags\": [}", "error: line 2, column 13: "), ("", "error: line 1, column 1: "),
        ("[]", "error: $: expected an object"), ("{}", "error: $.flags: "),
    ])
    func namesThePlaceWhereAFileIsNoDefinition(text: String, start: String) async throws {
        let folder = try TemporaryFolder()
        #expect(await recorder.run("validate", try folder.file("flags.json", text)) == .failure)
        #expect(recorder.lines.first?.hasPrefix(start) == true)
    }

    @Test func hintsThatYAMLIsNotRead() async throws {
        let folder = try TemporaryFolder()
        #expect(await recorder.run("validate", try folder.file("flags.yaml", "flags:\n")) == .failure)
        #expect(recorder.output.contains("YAML has to be converted"))
    }

    @Test func failsForFilesThatCannotBeRead() async throws {
        let folder = try TemporaryFolder()
        #expect(await recorder.run("validate", folder.path) == .unreadable)
        #expect(await recorder.run("validate", folder.path + "/nope.json") == .unreadable)
        #expect(recorder.output.isEmpty)
    }
}
