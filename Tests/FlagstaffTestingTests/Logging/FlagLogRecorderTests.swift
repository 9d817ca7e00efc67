import FlagstaffTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct FlagLogRecorderTests {
    @Test func keepsWhatIsOfItsLevel() async throws {
        let log = FlagLogRecorder(level: .warning)
        log.log(.info, "an aside")
        log.log(.warning, "a warning")
        log.level = .debug
        log.log(.debug, "a detail")
        #expect(
            log.entries == [
                .init(level: .warning, message: "a warning"), .init(level: .debug, message: "a detail"),
            ])
        #expect(try await log.entry(containing: "detail").level == .debug)
        log.clear()
        #expect(log.entries.isEmpty)
        await #expect(throws: TestTimeout.self) { try await log.entry(containing: "detail", within: 0.01) }
    }
}
