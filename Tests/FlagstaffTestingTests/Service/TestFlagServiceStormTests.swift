import FlagstaffTesting
import Foundation
import Testing

/// What is promised of a value that was set holds whatever other threads do.
@Suite(.timeLimit(.minutes(5))) struct TestFlagServiceStormTests {
    @Test func aWatcherMadeWhileAValueIsSetEndsOnTheNewest() async throws {
        let service = TestFlagService(values: ["a": 0])
        let flags = await service.makeStartedClient()
        for round in 1...4000 {
            async let last: Int? = {
                var seen: Int?
                for await value in flags.values(for: "a", default: -1) {
                    if let seen, value < seen { return nil }
                    seen = value
                    if value == round { break }
                }
                return seen
            }()
            async let noise: Void = { _ = flags.status }()
            service.setValue(.int(Int64(round)), for: "a")
            await noise
            #expect(await last == round)
        }
    }

    @Test func manyTasksSetAndReadTheirOwnFlag() async throws {
        let service = TestFlagService()
        let flags = await service.makeStartedClient()
        await withTaskGroup(of: Int.self) { group in
            for task in 0..<16 {
                group.addTask {
                    var misses = 0
                    for value in 1...200 {
                        service.setValue(.int(Int64(value)), for: "flag-\(task)")
                        if flags.value(for: "flag-\(task)", default: 0) != value { misses += 1 }
                    }
                    return misses
                }
            }
            for await misses in group { #expect(misses == 0) }
        }
        #expect(flags.snapshot.keys.count == 16)
        #expect(service.requests.count == 2)
    }

    @Test func valuesArriveWhileOtherTasksRefreshAndChangeTheContext() async throws {
        let service = TestFlagService(values: ["a": 0])
        let flags = await service.makeStartedClient()
        let isDone = Switch()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<3 {
                group.addTask {
                    var round = 0
                    while !isDone.isOn {
                        round += 1
                        if task == 0 { await flags.setContext(FlagContext(key: "user-\(round % 7)")) }
                        if task > 0 { await flags.refresh() }
                        // In memory the call returns without suspending: it would keep the thread from the others for good.
                        await Task.yield()
                    }
                }
            }
            group.addTask {
                for value in 1...200 {
                    service.setValue(.int(Int64(value)), for: "a")
                    // A change of context in progress has yet to bring the value, and does.
                    if flags.value(for: "a", default: 0) != value {
                        while flags.snapshot.isStale { await Task.yield() }
                        #expect(flags.value(for: "a", default: 0) == value)
                    }
                }
                isDone.turnOn()
            }
        }
        #expect(flags.value(for: "a", default: 0) == 200)
    }

    /// The gap in which a client has its answer and not yet its stream: another thread is about to open it, and is kept
    /// from it by a logger.
    @Test func aValueArrivesWhileAnotherThreadIsAboutToOpenTheStream() async throws {
        let service = TestFlagService(values: ["a": 1])
        service.setResolution(FlagResolution(key: "b", value: 1, reason: .static))
        let gate = Gate()
        let log = FlagLogRecorder { entry in
            if entry.message.contains("could not be read") { gate.pass() }
        }
        let flags = service.makeClient { $0.logger = log }
        let changes = FlagProbe(flags.events)
        // An answer with a broken flag makes the client report between answer and stream.
        service.fail(.start, with: Self.brokenAnswer)
        let start = Task.detached { await flags.start(context: FlagContext(key: "ada")) }
        await gate.arrival()
        #expect(service.openStreamCount == 0)
        service.setValue(2, for: "a")
        #expect(flags.value(for: "a", default: 0) == 2)
        service.setValue(3, for: "a")
        #expect(flags.value(for: "a", default: 0) == 3)
        gate.open()
        #expect(await start.value == .fresh)
        #expect(service.openStreamCount == 1)
        service.setValue(4, for: "a")
        #expect(flags.value(for: "a", default: 0) == 4)
        #expect(flags.value(for: "b", default: 0) == 1)
        await flags.close()
        let kinds = try await changes.rest().map(\.kind)
        #expect(kinds.filter { $0 == .ready } == [.ready])
    }

    @Test func whatArrivesBeforeTheStreamIsOnlyWhatChanged() async throws {
        let service = TestFlagService(values: ["a": 1, "b": 1])
        let gate = Gate()
        let calls = Box(0)
        service.evaluate { _ in
            calls.value += 1
            // The first is for the answer, the second for the stream.
            if calls.value == 2 { gate.pass() }
            return .values(["c": 1])
        }
        let flags = service.makeClient()
        let events = FlagProbe(flags.events)
        let start = Task.detached { await flags.start(context: FlagContext(key: "ada")) }
        await gate.arrival()
        #expect(service.openStreamCount == 0)
        for value in 2...5 {
            service.setValue(.int(Int64(value)), for: "a")
            #expect(flags.value(for: "a", default: 0) == value)
        }
        service.removeValue(for: "b")
        #expect(flags.snapshot.keys == ["a", "c"])
        gate.open()
        #expect(await start.value == .fresh)
        service.setValue(6, for: "a")
        #expect(flags.value(for: "a", default: 0) == 6)
        await flags.close()
        let changes = try await events.rest().filter { $0.kind == .changed }.map(\.changedKeys)
        #expect(changes == [["a"], ["a"], ["a"], ["a"], ["b"], ["a"]])
    }

    @Test func aClientThatHasItsAnswerMissesNoValue() async throws {
        let service = TestFlagService(values: ["a": 0])
        var value: Int64 = 0
        for _ in 0..<500 {
            let flags = service.makeClient()
            let start = Task.detached { await flags.start(context: FlagContext(key: "ada")) }
            var isReady = false
            while !isReady {
                value += 1
                service.setValue(.int(value), for: "a")
                isReady = flags.status.isReady
                if isReady { #expect(flags.value(for: "a", default: -1) == Int(value)) }
                // The start needs a thread, and all but this one may be taken.
                await Task.yield()
            }
            value += 1
            service.setValue(.int(value), for: "a")
            #expect(flags.value(for: "a", default: -1) == Int(value))
            #expect(await start.value == .fresh)
        }
    }

    @Test func aLoggerMaySetValuesToo() async throws {
        let service = TestFlagService(values: ["a": 1])
        let seen = Box<Int?>(nil)
        let flags = Box<FlagClient?>(nil)
        let log = FlagLogRecorder { entry in
            guard entry.message.contains("could not be read") else { return }
            service.setValue(2, for: "a")
            seen.value = flags.value?.value(for: "a", default: 0)
        }
        flags.value = service.makeClient { $0.logger = log }
        service.fail(.start, with: Self.brokenAnswer)
        let client = try #require(flags.value)
        #expect(await client.start(context: FlagContext(key: "ada")) == .fresh)
        #expect(seen.value == 2)
        #expect(client.value(for: "a", default: 0) == 2)
        #expect(service.openStreamCount == 1)
        service.setValue(3, for: "a")
        #expect(client.value(for: "a", default: 0) == 3)
        // The client refers to the logger, and this test's logger to the client.
        flags.value = nil
    }

    @Test func aHeldStartEndsOnceWhateverIsDoneToItAtTheSameTime() async throws {
        for round in 0..<300 {
            let service = TestFlagService(values: ["a": 1])
            let flags = service.makeClient { $0.logger = SilentLogger() }
            service.holdNextStart()
            let start = Task.detached { await flags.start(context: FlagContext(key: "ada")) }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { service.completeStart() }
                group.addTask { service.failStart(with: .status(500)) }
                group.addTask { service.setValue(2, for: "a") }
                group.addTask { service.isOffline = round % 3 == 0 }
                if round % 2 == 0 { group.addTask { await flags.close() } }
                if round % 5 == 0 { group.addTask { start.cancel() } }
            }
            service.isOffline = false
            service.completeStart()
            service.completeStart()
            let outcome = await start.value
            if outcome == .fresh { #expect(flags.value(for: "a", default: 0) > 0) }
            await flags.close()
            #expect(service.clientCount == 0)
            #expect(service.heldRequests.isEmpty)
        }
    }

    @Test func startsAndClosesUnderAStormOfValuesLeaveNothing() async throws {
        let service = TestFlagService(values: ["a": 0])
        let isDone = Switch()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var value: Int64 = 0
                while !isDone.isOn {
                    value += 1
                    service.setValue(.int(value), for: "a")
                    await Task.yield()
                }
            }
            group.addTask {
                await withTaskGroup(of: Void.self) { inner in
                    for _ in 0..<4 {
                        inner.addTask {
                            for round in 0..<100 {
                                let flags = service.makeClient()
                                #expect(await flags.start(context: FlagContext(key: "u")) == .fresh)
                                if round % 2 == 0 { await flags.close() }
                            }
                        }
                    }
                }
                isDone.turnOn()
            }
        }
        #expect(service.clientCount == 0)
        #expect(service.openStreamCount == 0)
    }

    private static let brokenAnswer = TestFault.answer(
        status: 200, headers: ["ETag": "\"other\"", "Content-Type": "application/json"],
        body: """
            {"flags": [{"key": "a", "value": 1, "reason": "STATIC"}, {"value": 1}],
             "eventStreams": [{"type": "flagstaff.evaluations", "endpoint": {"requestUri": "/flagstaff/v1/evaluations"}}]}
            """)
}
