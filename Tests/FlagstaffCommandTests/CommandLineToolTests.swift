import Testing

@testable import FlagstaffCommand

@Suite struct CommandLineToolTests {
    @Test(arguments: [["--help"], ["-h"], ["help"]])
    func listsAllSubcommands(arguments: [String]) async {
        let recorder = Recorder()
        #expect(await CommandLineTool.run(arguments, console: recorder.console) == .success)
        for subcommand in CommandLineTool.subcommands {
            #expect(recorder.output.contains("  \(subcommand.specification.name) "))
        }
        #expect(recorder.error.isEmpty)
    }

    @Test func explainsEachSubcommand() async {
        for subcommand in CommandLineTool.subcommands {
            let specification = subcommand.specification
            for arguments in [
                [specification.name, "--help"], ["help", specification.name],
                [specification.name, "x", "-h"],
            ] {
                let recorder = Recorder()
                #expect(await CommandLineTool.run(arguments, console: recorder.console) == .success)
                #expect(recorder.output.contains("Usage:\n  flagstaff \(specification.name)"))
                for option in specification.options { #expect(recorder.output.contains("--\(option.name)")) }
            }
        }
    }

    @Test func saysThatItsOutputWasLost() async throws {
        let recorder = Recorder()
        let console = Console(
            writeOutput: { _ in }, writeError: recorder.console.writeError, isTerminal: false,
            hasFailed: { true })
        let folder = try TemporaryFolder()
        let file = try folder.file("flags.json", "{\"flags\":{}}")
        #expect(await CommandLineTool.run(["validate", file], console: console) == .outputFailed)
        #expect(recorder.error.contains("the output could not be written"))
    }

    @Test func saysItsVersion() async {
        let recorder = Recorder()
        #expect(await recorder.run("--version") == .success)
        #expect(recorder.output == "flagstaff \(CommandLineTool.version)\n")
    }

    @Test func wantsASubcommand() async {
        let recorder = Recorder()
        #expect(await recorder.run() == .usage)
        #expect(recorder.output.isEmpty)
        #expect(recorder.error.contains("Usage: flagstaff SUBCOMMAND"))
    }

    @Test(arguments: [
        ("evalute", "did you mean 'evaluate'?"), ("xyz", "there is no subcommand 'xyz'"),
        ("--jsn", "there is no option '--jsn'"),
    ])
    func hintsAtWhatWasMeant(name: String, hint: String) async {
        let recorder = Recorder()
        #expect(await recorder.run(name) == .usage)
        #expect(recorder.error.contains(hint))
    }

    @Test func refusesUnknownOptions() async {
        let recorder = Recorder()
        #expect(await recorder.run("validate", "--jsom", "file") == .usage)
        #expect(recorder.error.contains("there is no option '--jsom'; did you mean '--json'?"))
    }
}
