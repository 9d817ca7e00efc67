import Testing

@testable import FlagstaffCommand

@Suite struct ArgumentParserTests {
    private static let specification = CommandSpecification(
        name: "x", summary: "", usage: [],
        positionals: [.init("ONE", ""), .init("TWO", "")],
        options: [
            .init("context", letter: "c", value: "JSON", ""), .init("json", letter: "j", ""),
            .init("flag", value: "KEY", "", repeats: true),
        ])

    private func parse(_ arguments: String...) throws -> ParsedArguments {
        try ArgumentParser.parse(arguments, for: Self.specification)
    }

    @Test func takesValuesInEachForm() throws {
        for arguments in [["--context", "{}"], ["--context={}"], ["-c", "{}"], ["-c{}"]] {
            let parsed = try ArgumentParser.parse(arguments + ["one"], for: Self.specification)
            #expect(parsed.value("context") == "{}")
            #expect(parsed.positionals == ["one"])
        }
        #expect(try parse("--context=a=b").value("context") == "a=b")
        #expect(try parse("--context=").value("context") == "")
        #expect(try parse("-c", "-5").value("context") == "-5")
    }

    @Test func collectsOptionsThatRepeat() throws {
        #expect(try parse("--flag", "a", "--flag=b").values("flag") == ["a", "b"])
        #expect(try parse().values("flag").isEmpty)
    }

    @Test func takesEverythingAfterTwoDashesByPlace() throws {
        #expect(try parse("--", "--json", "-x").positionals == ["--json", "-x"])
        #expect(try parse("-", "--json").positionals == ["-"])
    }

    @Test(arguments: [
        ["--nope"], ["-x"], ["--context"], ["--context", "--json"], ["--json=1"], ["-jx"], ["a", "b", "c"],
        ["--json", "--json"], ["--context", "a", "-cb"],
    ])
    func refusesWhatDoesNotFit(arguments: [String]) {
        #expect(throws: UsageError.self) { try ArgumentParser.parse(arguments, for: Self.specification) }
    }

    @Test func stopsAtHelp() throws {
        #expect(try parse("a", "--help", "--nope").asksForHelp)
        #expect(try !parse("a").asksForHelp)
    }

    @Test func readsWholeNumbers() throws {
        var arguments = ParsedArguments()
        #expect(try arguments.integer("n") == nil)
        arguments.values["n"] = ["-12"]
        #expect(try arguments.integer("n") == -12)
        #expect(throws: UsageError.self) { try arguments.integer("n", in: 0...5) }
        arguments.values["n"] = ["1.5"]
        #expect(throws: UsageError.self) { try arguments.integer("n") }
    }
}
