import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(1))) struct SystemTimeTests {
    @TaskLocal private static var request = "none"

    @Test func timersInheritNothingFromWhoSetsThem() async {
        let seen = Recorder<String>()
        Self.$request.withValue("the caller's") {
            _ = SystemTime().schedule(after: 0) { seen.record(Self.request) }
        }
        #expect(await seen[0] == "none")
    }
}
