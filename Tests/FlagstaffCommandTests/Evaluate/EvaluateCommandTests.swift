import Testing

@testable import FlagstaffCommand

@Suite struct EvaluateCommandTests {
    private let recorder = Recorder()

    @Test func printsValueVariantAndReason() async throws {
        let status = await recorder.run(
            "evaluate", try fixture("shop.flagd.json"), "new-checkout", "--context", "{\"plan\":\"pro\"}")
        #expect(status == .success)
        #expect(
            recorder.output == """
                value     true
                variant   on
                reason    TARGETING_MATCH
                metadata  {"flagSetId":"shop"}

                """)
    }

    @Test func printsAnObjectForPrograms() async throws {
        #expect(
            await recorder.run("evaluate", "--json", try fixture("shop.flagd.json"), "new-checkout")
                == .success)
        #expect(
            recorder.output
                == "{\"key\":\"new-checkout\",\"value\":false,\"variant\":\"off\",\"reason\":\"DEFAULT\","
                + "\"metadata\":{\"flagSetId\":\"shop\"}}\n")
    }

    @Test func saysWhenTheCodesDefaultApplies() async throws {
        #expect(await recorder.run("evaluate", try fixture("shop.flagd.json"), "old-search") == .success)
        #expect(recorder.output.hasPrefix("value     none: the code's default applies\nreason    DISABLED\n"))
    }

    @Test func failsForAnUnknownFlag() async throws {
        #expect(await recorder.run("evaluate", try fixture("shop.flagd.json"), "new-chekout") == .failure)
        #expect(recorder.output.isEmpty)
        #expect(recorder.error.contains("FLAG_NOT_FOUND"))
        #expect(recorder.error.contains("did you mean 'new-checkout'?"))

        let json = Recorder()
        #expect(await json.run("evaluate", try fixture("shop.flagd.json"), "nope", "--json") == .failure)
        #expect(json.output.contains("\"errorCode\":\"FLAG_NOT_FOUND\""))
    }

    @Test func tellsUnreadableFilesApart() async throws {
        let folder = try TemporaryFolder()
        #expect(await recorder.run("evaluate", folder.path, "x") == .unreadable)
        #expect(await recorder.run("evaluate", folder.path + "/nope", "x") == .unreadable)
        #expect(await recorder.run("evaluate", try folder.file("a", "{"), "x") == .unreadable)
        #expect(await recorder.run("evaluate", try folder.file("b", "{}"), "x") == .unreadable)
        #expect(recorder.error.contains("not JSON: line 1, column 2"))
    }

    @Test(arguments: [
        ["evaluate"], ["evaluate", "file"], ["evaluate", "file", "key", "--context", "[]"],
        ["evaluate", "file", "key", "--context", "{"], ["evaluate", "file", "key", "--now", "soon"],
        ["evaluate", "file", "key", "--fractional", "v1"], ["evaluate", "file", "--cases", "x"],
        ["evaluate", "--cases", "x", "--json"],
    ])
    func refusesWrongCommandLines(arguments: [String]) async {
        #expect(await CommandLineTool.run(arguments, console: recorder.console) == .usage)
        #expect(recorder.error.contains("Run 'flagstaff evaluate --help'"))
    }

    @Test func takesTimeAndScheme() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file(
            "flags.json",
            """
            {"flags": {"t": {"state": "ENABLED", "variants": {"on": 1, "off": 0}, "defaultVariant": "off",
               "targeting": {"if": [{"==": [{"var": "$flagd.timestamp"}, 7]}, "on"]}},
             "b": {"state": "ENABLED", "variants": {"x": 1, "y": 2}, "targeting":
               {"fractional": ["abc", ["x", 50], ["y", 50]]}}}}
            """)
        #expect(await recorder.run("evaluate", path, "t", "--now", "7") == .success)
        #expect(await recorder.run("evaluate", path, "t", "--now", "8") == .success)
        #expect(await recorder.run("evaluate", path, "b", "--fractional", "v3") == .success)
        #expect(await recorder.run("evaluate", path, "b", "--fractional", "v2") == .success)
        let values = recorder.lines.filter { $0.hasPrefix("value") }.map { $0.suffix(1) }
        #expect(values == ["1", "0", "1", "2"])
    }
}
