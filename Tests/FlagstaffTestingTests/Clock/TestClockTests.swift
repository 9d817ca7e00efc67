import FlagstaffTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct TestClockTests {
    @Test func pollsHappenWhenTheClockIsMoved() async throws {
        let clock = TestClock()
        let service = TestFlagService(values: ["a": 1])
        let flags = await service.makeStartedClient(clock: clock) { $0.sync = .polling(every: 60) }
        clock.advance(by: 59)
        #expect(service.requests.count == 1)
        clock.advance(by: 1)
        #expect(service.requests.count == 2)
        clock.advance(by: 600)
        #expect(service.requests.count == 12)
        #expect(flags.status.connection == .polling)
    }

    @Test func timersOfSeveralClientsFireInOrder() async throws {
        let clock = TestClock()
        let service = TestFlagService()
        let slow = await service.makeStartedClient(clock: clock) { $0.sync = .polling(every: 30) }
        let quick = await service.makeStartedClient(clock: clock) { $0.sync = .polling(every: 20) }
        service.clearRequests()
        clock.advance(by: 65)
        #expect(service.requests.map(\.client) == [2, 1, 2, 1, 2])
        withExtendedLifetime((slow, quick)) {}
    }

    @Test func theDateIsNotTheTimeThatPasses() async throws {
        let date = Date(timeIntervalSince1970: 1_900_000_000)
        let clock = TestClock(date: date)
        #expect(clock.date == date)
        let service = TestFlagService(values: ["a": 1])
        let flags = await service.makeStartedClient(clock: clock) { $0.sync = .polling(every: 60) }
        #expect(flags.snapshot.updated == date)
        clock.date = date - 86400
        clock.date = date - 7200
        #expect(service.requests.count == 1)
        clock.advance(by: 60)
        #expect(service.requests.count == 2)
        #expect(flags.snapshot.updated == date - 7140)
        clock.date = date + 86400
        clock.advance(by: 60)
        #expect(flags.snapshot.updated == date + 86460)
        #expect(service.requests.count == 3)
    }

    @Test func timersCanBeLookedAtAndTakenOneByOne() async throws {
        let clock = TestClock()
        #expect(clock.advanceToNextTimer() == nil)
        let service = TestFlagService()
        let flags = await service.makeStartedClient(clock: clock) { $0.sync = .polling(every: 60) }
        #expect(clock.pendingTimers == [60])
        #expect(clock.advanceToNextTimer() == 60)
        #expect(service.requests.count == 2)
        await flags.close()
        #expect(clock.pendingTimers.isEmpty)
    }

    @Test func theDiceCanBeLoaded() async throws {
        let clock = TestClock(random: 0)
        let service = TestFlagService()
        let flags = await service.makeStartedClient(clock: clock) { $0.sync = .polling(every: 100) }
        #expect(clock.pendingTimers == [90])
        withExtendedLifetime(flags) {}
    }

    @Test func aTimerMayMoveTheClock() async throws {
        let clock = TestClock()
        let service = TestFlagService()
        let log = FlagLogRecorder { entry in
            if entry.message.contains("cannot get flags") { clock.advance(by: 1000) }
        }
        let flags = await service.makeStartedClient(clock: clock) { configuration in
            configuration.sync = .polling(every: 60)
            configuration.logger = log
        }
        let start = clock.date
        service.fail(.update, with: .network)
        clock.advance(by: 60)
        #expect(clock.date.timeIntervalSince(start) >= 1060)
        #expect(flags.status.isReady)
    }
}
