import FlagstaffTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2))) struct TestFlagServiceLifetimeTests {
    @Test func lettingGoLeavesNothing() async throws {
        weak var service: TestFlagService?
        weak var flags: FlagClient?
        let clock = TestClock()
        do {
            let made = TestFlagService(values: ["a": 1])
            let client = await made.makeStartedClient(clock: clock)
            service = made
            flags = client
            made.holdNext(.refresh)
            let refresh = Task { await client.refresh() }
            try await made.heldRequest(.refresh)
            made.answerDelay = 5
            refresh.cancel()
            _ = await refresh.value
            #expect(!clock.pendingTimers.isEmpty)
        }
        #expect(flags == nil)
        #expect(service == nil)
        #expect(clock.pendingTimers.isEmpty)
    }

    @Test func theSystemsTimeKeepsNothingAlive() async throws {
        weak var service: TestFlagService?
        weak var flags: FlagClient?
        do {
            let made = TestFlagService(values: ["a": 1])
            service = made
            flags = await Self.used(made)
        }
        #expect(flags == nil)
        #expect(service == nil)
    }

    /// A client with a stream, a heartbeat and time limits under way, let go of.
    private static func used(_ service: TestFlagService) async -> FlagClient? {
        weak var flags: FlagClient?
        let client = await service.makeStartedClient()
        flags = client
        service.holdNext(.refresh)
        #expect(await client.refresh(timeout: 0).kind == .timedOut)
        service.answerDelay = 60
        #expect(await client.setContext(FlagContext(key: "bob"), timeout: 0).kind == .timedOut)
        return flags
    }

    @Test func aClosedClientLeavesNothing() async throws {
        let clock = TestClock()
        let service = TestFlagService(values: ["a": 1])
        weak var flags: FlagClient?
        do {
            let client = await service.makeStartedClient(clock: clock)
            flags = client
            service.answerDelay = 5
            async let outcome = client.setContext(FlagContext(key: "bob"))
            try await service.requests(3)
            await client.close()
            #expect(await outcome == .closed)
            #expect(service.clientCount == 0)
            #expect(service.openStreamCount == 0)
            #expect(clock.pendingTimers.isEmpty)
            service.setValue(2, for: "a")
            service.completeContextChange()
            #expect(client.value(for: "a", default: 0) == 1)
        }
        #expect(flags == nil)
    }

    @Test func aThousandContextsAndReconnectsLeaveNothing() async throws {
        let clock = TestClock()
        let service = TestFlagService(values: ["a": 1])
        let flags = await service.makeStartedClient(clock: clock)
        for round in 0..<1000 { await flags.setContext(FlagContext(key: "user-\(round)")) }
        for _ in 0..<1000 {
            clock.advance(by: 11)
            service.endStreams()
            clock.advance(by: 1)
        }
        #expect(service.openStreamCount == 1)
        #expect(clock.pendingTimers.count <= 4)
        service.setValue(2, for: "a")
        #expect(flags.value(for: "a", default: 0) == 2)
    }

    @Test func noSocketIsOpened() async throws {
        let before = Self.sockets()
        let service = TestFlagService(values: ["a": 1])
        let flags = service.makeClient()
        await flags.start(context: FlagContext(key: "ada"))
        #expect(Self.sockets().subtracting(before).isEmpty)
        await flags.refresh()
        service.setValue(2, for: "a")
        await flags.close()
        #expect(Self.sockets().subtracting(before).isEmpty)
    }

    /// The sockets of this process, by the numbers that the system knows them by.
    private static func sockets() -> Set<UInt64> {
        var sockets: Set<UInt64> = []
        for descriptor in 0..<Int32(1024) {
            var status = stat()
            if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK {
                sockets.insert(UInt64(status.st_ino))
            }
        }
        return sockets
    }
}
