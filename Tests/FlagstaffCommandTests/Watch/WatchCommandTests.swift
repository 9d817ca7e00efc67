import FlagService
import FlagStore
import Testing

@testable import FlagstaffCommand

@Suite(.timeLimit(.minutes(1))) struct WatchCommandTests {
    @Test(
        arguments: [
            ([], "the service's URL is needed"), (["not a url"], "URL"),
            (["http://h", "--context", "[1]"], "--context"),
            (["http://h", "--poll", "1"], "--poll needs a number from 5"),
            (["http://h", "--header", "x"], "NAME: VALUE"),
            (["ftp://h"], "http"), (["http://h", "--key", " "], "key"),
        ] as [([String], String)])
    func saysWhatIsWrongWithItsArguments(arguments: [String], part: String) async {
        let recorder = Recorder()
        #expect(await CommandLineTool.run(["watch"] + arguments, console: recorder.console) == .usage)
        #expect(recorder.error.contains(part))
        #expect(recorder.output.isEmpty)
    }

    @Test func endsWhenTheServiceRefusesIt() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("flags.json", "{\"flags\":{}}")
        var settings = ServiceSettings(flagFile: file)
        settings.clientKeys = ["right"]
        let running = try await RunningService.start(settings, log: .silent)
        let recorder = Recorder()
        #expect(await recorder.run("watch", running.url, "--key", "wrong", "--json") == .failure)
        #expect(recorder.error.contains("the service refuses this client"))
        await running.shutdown()
    }
}
