import Testing

@testable import FlagstaffCommand

@Suite struct CaseEvaluatorTests {
    private let recorder = Recorder()
    private static let flags =
        "{\"flags\":{\"f\":{\"state\":\"ENABLED\",\"variants\":{\"a\":1.0,\"b\":2},\"defaultVariant\":\"a\",\"targeting\":{\"if\":[{\"var\":\"x\"},\"b\",{\"==\":[{\"var\":\"$flagd.timestamp\"},5]},\"c\"]}},\"off\":{\"state\":\"DISABLED\",\"variants\":{\"a\":1}}}}"

    @Test func answersEachLine() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file(
            "cases.jsonl",
            """
            {"flags":\(Self.flags),"key":"f","context":{"x":1},"now":1}
            {"flags":\(Self.flags),"key":"f"}
            {"flags":\(Self.flags),"key":"f","context":{},"now":5}\r
            {"flags":\(Self.flags),"key":"off","context":null}

            {"flags":\(Self.flags),"key":"nope"}
            """)
        #expect(await recorder.run("evaluate", "--cases", path, "--now", "9") == .success)
        #expect(
            recorder.lines == [
                "{\"value\":2,\"variant\":\"b\",\"reason\":\"TARGETING_MATCH\"}",
                "{\"value\":1.0,\"variant\":\"a\",\"reason\":\"DEFAULT\"}",
                "{\"reason\":\"ERROR\",\"errorCode\":\"GENERAL\"}",
                "{\"reason\":\"DISABLED\"}",
                "{\"reason\":\"ERROR\",\"errorCode\":\"FLAG_NOT_FOUND\"}",
            ])
    }

    @Test func goesOnAfterLinesThatAreNoCases() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file(
            "cases.jsonl",
            """
            nonsense
            [1]
            {"key":"f"}
            {"flags":\(Self.flags)}
            {"flags":\(Self.flags),"key":"f","context":5}
            {"flags":\(Self.flags),"key":"f","now":"x"}
            {"flags":{},"key":"f"}
            {"flags":\(Self.flags),"key":"f"}
            """)
        #expect(await recorder.run("evaluate", "--cases", path) == .failure)
        let lines = recorder.lines
        #expect(lines.count == 8)
        for (index, line) in lines.dropLast().enumerated() {
            #expect(
                line.hasPrefix(
                    "{\"reason\":\"ERROR\",\"errorCode\":\"PARSE_ERROR\",\"errorDetails\":\"line \(index + 1): "
                ))
        }
        #expect(lines.last?.contains("DEFAULT") == true)
    }

    @Test func failsForFilesThatCannotBeRead() async throws {
        #expect(await recorder.run("evaluate", "--cases", "/nowhere/cases.jsonl") == .unreadable)
        #expect(recorder.error.contains("no such file"))
    }
}
