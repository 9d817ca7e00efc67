import FlagModel
import FlagstaffTesting
import Foundation
import Testing

@testable import AbrovaFlags

/// When values are fetched, and when not.
@Suite(.timeLimit(.minutes(1))) struct AbrovaFlagsRefreshingTests {
    @Test func nothingIsSentBeforeStartAndOneRequestAtIt() async throws {
        let device = Device()
        let flags = device.launch()
        await device.pass(3600, flags)
        #expect(device.service.requests.isEmpty)
        #expect(await !flags.refresh())
        flags.start()
        flags.start()
        _ = await flags.waitUntilReady(timeout: 100)
        await device.pass(86400, flags)
        #expect(device.service.requests.count == 1)
    }

    @Test func returnToTheForegroundFetchesWhatIsOlderThanAQuarterOfAnHour() async throws {
        let device = Device()
        let flags = await device.ready()
        await device.pass(899, flags)
        flags.enterForeground()
        #expect(device.service.requests.count == 1)
        await device.pass(2, flags)
        flags.enterForeground()
        #expect(try await device.requests(2).count == 2)
        await device.pass(800, flags)
        flags.enterForeground()
        #expect(device.service.requests.count == 2)
    }

    @Test func ageForTheForegroundIsASetting() async throws {
        let device = Device()
        let flags = await device.ready(
            AbrovaFlagsConfig(apiKey: Device.key, foregroundRefreshSeconds: 60))
        await device.pass(61, flags)
        flags.enterForeground()
        #expect(try await device.requests(2).count == 2)
        let never = Device()
        let calm = await never.ready(
            AbrovaFlagsConfig(apiKey: Device.key, foregroundRefreshSeconds: .infinity))
        never.clock.advance(by: 86400)
        calm.enterForeground()
        #expect(never.service.requests.count == 1)
    }

    @Test func refreshIsTrueWhereTheValuesAreCurrent() async throws {
        let device = Device()
        let flags = await device.ready()
        device.service.setValue(false, for: "dark-mode")
        #expect(await flags.refresh())
        #expect(!flags.isEnabled("dark-mode"))
        // Unchanged: 304.
        #expect(await flags.refresh())
        let requests = try await device.requests(3)
        #expect(requests[2].headers["if-none-match"] != nil)
        device.service.isOffline = true
        #expect(await !flags.refresh())
    }

    @Test func refreshCallsBackOnTheMainThread() async throws {
        let device = Device()
        let flags = await device.ready()
        MainQueue.mark()
        let answer = await withCheckedContinuation { continuation in
            flags.refresh { ok in continuation.resume(returning: (ok, MainQueue.isCurrent)) }
        }
        #expect(answer == (true, true))
        device.service.isOffline = true
        let failed = await withCheckedContinuation { continuation in
            flags.refresh { ok in continuation.resume(returning: ok) }
        }
        #expect(!failed)
    }

    @Test func timerRunsOnlyWhereItIsSetAndHasAFloor() async throws {
        let device = Device()
        let flags = await device.ready(
            AbrovaFlagsConfig(apiKey: Device.key, refreshIntervalSeconds: 1))
        await device.pass(26, flags)
        #expect(device.service.requests.count == 1)
        await device.pass(8, flags)
        #expect(try await device.requests(2).count == 2)
        withExtendedLifetime(flags) {}
    }

    @Test func failuresAreRetriedWithADelayThatGrowsToFiveMinutes() async throws {
        let device = Device()
        device.service.isOffline = true
        let flags = device.launch()
        flags.start()
        _ = try await device.requests(1)
        var delays: [Double] = []
        while delays.count < 14 {
            await device.pass(0, flags)
            guard let delay = device.clock.advanceToNextTimer() else { break }
            delays.append(delay)
            _ = try await device.requests(delays.count + 1)
        }
        // Halves, as the dice of the clock say: a random part of the delay is waited for.
        #expect(delays.prefix(4) == [0.5, 1, 2, 4])
        #expect(delays.last == 150 && delays == delays.sorted())
        device.service.isOffline = false
        await device.pass(300, flags)
        #expect(await flags.waitUntilReady(timeout: 100))
    }

    @Test func rateLimitIsWaitedForAsLongAsTheServiceAsks() async throws {
        let device = Device()
        let flags = await device.ready()
        device.service.fault = .status(429, retryAfter: 120)
        #expect(await !flags.refresh())
        device.service.fault = nil
        // Nothing goes out before, whoever asks.
        #expect(await !flags.refresh())
        flags.setAttributes(["plan": "pro"])
        flags.enterForeground()
        await device.pass(119, flags)
        #expect(device.service.requests.count == 2)
        await device.pass(2, flags)
        #expect(try await device.requests(3).count == 3)
        #expect(flags.isEnabled("dark-mode"))
    }

    @Test(arguments: [401, 403, 404])
    func refusalStopsAutomaticFetchesUntilRefresh(status: Int) async throws {
        let device = Device()
        device.service.fault = .status(status)
        let flags = device.launch(
            AbrovaFlagsConfig(apiKey: Device.key, refreshIntervalSeconds: 60))
        let recorder = EventRecorder(flags)
        flags.start()
        _ = try await recorder.events.next { event in
            if case .error = event { true } else { false }
        }
        device.service.fault = nil
        #expect(await !flags.waitUntilReady(timeout: 100))
        flags.identify("user-1")
        flags.setAttributes(["plan": "pro"])
        flags.reset()
        flags.resetAnonymousId()
        flags.identify("user-2")
        flags.enterForeground()
        flags.start()
        await device.pass(86400, flags)
        #expect(device.service.requests.count == 1)

        #expect(await flags.refresh())
        let requests = try await device.requests(2)
        #expect(requests[1].context?.targetingKey == "user-2")
        #expect(flags.isEnabled("dark-mode"))
        await device.pass(70, flags)
        #expect(try await device.requests(3).count == 3)
    }

    @Test func waitForTheFirstValuesEndsInTime() async throws {
        let device = Device()
        device.service.holdNextStart()
        let flags = device.launch()
        async let isReady = flags.waitUntilReady(timeout: 3)
        flags.start()
        try await device.service.heldRequest(.start)
        // The wait began on another thread, and its timer with it.
        while !device.clock.pendingTimers.contains(3) { await Task.yield() }
        await device.pass(3.1, flags)
        #expect(await !isReady)
        device.service.completeStart()
        #expect(await flags.waitUntilReady(timeout: 3))
    }

    @Test func closedClientSendsNothingAndServesTheLastValues() async throws {
        let device = Device()
        let flags = await device.ready(
            AbrovaFlagsConfig(apiKey: Device.key, refreshIntervalSeconds: 60))
        device.service.holdNext(.refresh)
        async let isCurrent = flags.refresh()
        try await device.service.heldRequest(.refresh)
        flags.close()
        flags.close()
        #expect(await !isCurrent)
        await device.quit(flags)
        #expect(device.service.clientCount == 0)
        await device.pass(86400, flags)
        flags.start()
        flags.setAttributes(["plan": "pro"])
        flags.enterForeground()
        #expect(await !flags.refresh())
        #expect(device.service.requests.count == 2)
        #expect(flags.isEnabled("dark-mode"))
        #expect(device.clock.pendingTimers.isEmpty)
        #expect(flags.listeners.count == 0)
        flags.identify("user-1")
        #expect(!flags.isEnabled("dark-mode"))
    }

    @Test func clientThatIsLetGoOfEndsItsWork() async throws {
        let device = Device()
        var flags: AbrovaFlags? = await device.ready(
            AbrovaFlagsConfig(apiKey: Device.key, refreshIntervalSeconds: 60))
        weak let weakFlags = flags
        flags?.identify("user-1")
        flags = nil
        #expect(weakFlags == nil)
        // Another thread may be in the middle of doing something for it.
        while device.service.clientCount > 0 || !device.clock.pendingTimers.isEmpty { await Task.yield() }
    }
}
