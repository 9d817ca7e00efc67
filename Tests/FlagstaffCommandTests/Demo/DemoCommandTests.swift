import Foundation
import Testing

@testable import FlagstaffCommand

@Suite(.timeLimit(.minutes(1))) struct DemoCommandTests {
    @Test func goesThroughTheWholePathOnce() async {
        let recorder = Recorder()
        #expect(await recorder.run("demo", "--once") == .success)
        #expect(recorder.error.isEmpty)
        let lines = recorder.output.split(separator: "\n")
        #expect(
            lines.contains { $0.hasPrefix("new-checkout") && $0.contains("false") && $0.contains("STATIC") })
        #expect(
            lines.contains {
                $0.hasPrefix("theme") && $0.contains("\"dark\"") && $0.contains("TARGETING_MATCH")
            })
        #expect(lines.contains("new-checkout before the file was changed: false"))
        #expect(lines.contains { $0.hasSuffix(" ms after the file was changed: true") })
    }

    @Test func leavesNoFilesBehind() async throws {
        let recorder = Recorder()
        #expect(await recorder.run("demo", "--once") == .success)
        let path = try #require(recorder.output.split(separator: " ").first { $0.hasSuffix("flags.json") })
        #expect(!FileManager.default.fileExists(atPath: String(path)))
    }
}
