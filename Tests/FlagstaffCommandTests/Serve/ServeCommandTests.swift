import FlagService
import Testing

@testable import FlagstaffCommand

@Suite struct ServeCommandTests {
    @Test(
        arguments: [
            ([], "--flags FILE is needed"),
            (["--flags", "f", "--port", "70000"], "--port needs a number from 0 to 65535"),
            (["--flags", "f", "--rate-limit", "0"], "greater than 0"),
            (["--flags", "f", "--rate-limit", "nan"], "greater than 0"),
            (["--flags", "f", "--tls-key", "k"], "--tls-certificate and --tls-key go together"),
            (["--flags", "f", "--log-level", "loud"], "debug, info, warning, error"),
            (["--flags", "f", "--log-format", "xml"], "text, json"),
            (["--flags", "f", "--fractional", "v1"], "v2 or v3"),
        ] as [([String], String)])
    func saysWhatIsWrongWithItsArguments(arguments: [String], part: String) async {
        let recorder = Recorder()
        #expect(await CommandLineTool.run(["serve"] + arguments, console: recorder.console) == .usage)
        #expect(recorder.error.contains(part))
    }

    @Test(arguments: [nil, "", "{", "{}"])
    func refusesToStartWithoutFlags(content: String?) async throws {
        let folder = try TemporaryFolder()
        let file = try content.map { try folder.file("flags.json", $0) } ?? folder.path + "/flags.json"
        let recorder = Recorder()
        #expect(
            await recorder.run("serve", "--flags", file, "--port", "0", "--log-level", "error") == .unreadable
        )
        #expect(recorder.error.contains(file))
        #expect(recorder.error.contains("--wait-for-flags"))
    }

    @Test func refusesAnAddressThatIsTaken() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("flags.json", "{\"flags\":{}}")
        let running = try await RunningService.start(ServiceSettings(flagFile: file), log: .silent)
        let port = try #require(running.url.split(separator: ":").last)
        let recorder = Recorder()
        #expect(await recorder.run("serve", "--flags", file, "--port", String(port)) == .failure)
        #expect(recorder.error.contains("another program uses this port"))
        await running.shutdown()
    }

    @Test func refusesAFileWithoutKeys() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("flags.json", "{\"flags\":{}}")
        let keys = try folder.file("keys.txt", "# none yet\n\n")
        let recorder = Recorder()
        #expect(
            await recorder.run("serve", "--flags", file, "--client-keys", keys, "--port", "0") == .failure)
        #expect(recorder.error.contains("has no keys in it"))
    }

    @Test func readsKeysFromTheEnvironment() throws {
        #expect(try ServeCommand.keys(ofVariable: nil) == [])
        #expect(try ServeCommand.keys(ofVariable: "a,b") == ["a", "b"])
        for blank in ["", ",", ",,"] {
            #expect(throws: InputFile.Failure.self) { try ServeCommand.keys(ofVariable: blank) }
        }
    }

    @Test func waitsForFlagsWhereItIsTold() async throws {
        let folder = try TemporaryFolder()
        var settings = ServiceSettings(flagFile: folder.path + "/flags.json")
        settings.waitsForFlags = true
        let running = try await RunningService.start(settings, log: .silent)
        #expect(running.url.hasPrefix("http://127.0.0.1:"))
        await running.shutdown()
    }
}
