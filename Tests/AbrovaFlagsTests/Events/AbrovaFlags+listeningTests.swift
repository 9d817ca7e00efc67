import FlagModel
import FlagstaffTesting
import Foundation
import Testing

@testable import AbrovaFlags

@Suite(.timeLimit(.minutes(1))) struct AbrovaFlagsListeningTests {
    @Test func firstValuesAreToldOnceAndChangesWithTheirKeys() async throws {
        let device = Device(["a": 1, "b": 1, "c": 1])
        let flags = device.launch()
        let recorder = EventRecorder(flags)
        flags.start()
        #expect(try await recorder.events.next() == .ready)
        device.service.setValues(["a": 2, "c": 2])
        #expect(await flags.refresh())
        #expect(try await recorder.events.next() == .updated(changedKeys: ["a", "c"]))
        #expect(await flags.refresh())
        device.service.removeValue(for: "b")
        #expect(await flags.refresh())
        #expect(try await recorder.events.next() == .updated(changedKeys: ["b"]))
        await mainQueueIsEmpty()
        #expect(recorder.events.received.filter { $0 == .ready }.count == 1)
        #expect(recorder.countOffMainQueue == 0)
    }

    @Test func readyCanComeFromTheDevice() async throws {
        let device = Device(["a": 1])
        await device.quit(await device.ready())
        device.service.setValue(2, for: "a")
        let flags = device.launch()
        let recorder = EventRecorder(flags)
        flags.start()
        #expect(try await recorder.events.next() == .ready)
        #expect(try await recorder.events.next() == .updated(changedKeys: ["a"]))
    }

    @Test func valuesOfAnEventCanBeReadInTheListener() async throws {
        let device = Device(["a": 1])
        let flags = device.launch()
        let (stream, continuation) = AsyncStream<Double>.makeStream()
        flags.addListener { [weak flags] _ in continuation.yield(flags?.getNumber("a", default: -1) ?? -2) }
        let values = FlagProbe(stream)
        flags.start()
        #expect(try await values.next() == 1)
        device.service.setValue(2, for: "a")
        await flags.refresh()
        #expect(try await values.next() == 2)
    }

    @Test func newUserIsToldOfTwice() async throws {
        let device = Device(["a": 1])
        let flags = await device.ready()
        let recorder = EventRecorder(flags)
        #expect(try await recorder.events.next() == .ready)
        flags.identify("user-1")
        #expect(try await recorder.events.next() == .updated(changedKeys: ["a"]))
        await device.pass(0.3, flags)
        #expect(try await recorder.events.next() == .updated(changedKeys: ["a"]))
        await mainQueueIsEmpty()
        #expect(recorder.events.received.count == 3)
    }

    @Test(
        arguments: [
            (TestFault.network, AbrovaFlagsError.Kind.network, nil), (.unauthorized, .unauthorized, 401),
            (.status(403), .forbidden, 403), (.status(404), .notFound, 404),
            (.status(429), .rateLimited, 429),
            (.status(500), .server, 500), (.status(503), .server, 503), (.malformed, .invalidResponse, 200),
            (.status(400), .invalidResponse, 400),
        ] as [(TestFault, AbrovaFlagsError.Kind, Int?)])
    func errorsSayWhatHappened(fault: TestFault, kind: AbrovaFlagsError.Kind, status: Int?) async throws {
        let device = Device()
        device.service.fault = fault
        let flags = device.launch()
        let recorder = EventRecorder(flags)
        flags.start()
        guard case .error(let error)? = try await recorder.events.next() else {
            Issue.record("the first event is no error")
            return
        }
        #expect(error.kind == kind)
        #expect(error.statusCode == status)
        #expect(error.code != nil && !error.message.isEmpty)
        #expect(!"\(error)".contains(Device.key))
    }

    @Test func serviceThatDoesNotAnswerIsATimeout() async throws {
        let device = Device()
        device.service.holdNextStart()
        let flags = device.launch(AbrovaFlagsConfig(apiKey: Device.key, requestTimeoutSeconds: 4))
        let recorder = EventRecorder(flags)
        flags.start()
        try await device.service.heldRequest(.start)
        await device.pass(4.1, flags)
        guard case .error(let error)? = try await recorder.events.next() else {
            Issue.record("the first event is no error")
            return
        }
        #expect(error.kind == .timeout && error.statusCode == nil)
    }

    @Test func listenerGoesOnWhereNobodyKeepsTheToken() async throws {
        let device = Device(["a": 1])
        let flags = device.launch()
        let (stream, continuation) = AsyncStream<AbrovaFlagsEvent>.makeStream()
        flags.addListener { continuation.yield($0) }
        let events = FlagProbe(stream)
        flags.start()
        #expect(try await events.next() == .ready)
        device.service.setValue(2, for: "a")
        await flags.refresh()
        #expect(try await events.next() == .updated(changedKeys: ["a"]))
    }

    @Test func cancelledListenerHearsNothingMore() async throws {
        let device = Device(["a": 1])
        let flags = await device.ready()
        let recorder = EventRecorder(flags)
        let witness = EventRecorder(flags)
        _ = try await recorder.events.next()
        recorder.token.cancel()
        recorder.token.cancel()
        #expect(flags.listeners.count == 1)
        device.service.setValue(2, for: "a")
        await flags.refresh()
        _ = try await witness.events.next { $0 != .ready }
        await mainQueueIsEmpty()
        #expect(recorder.events.received == [.ready])
    }

    @Test func listenersAreLetGoOfWithTheClient() async throws {
        final class Owner: Sendable {}
        let device = Device()
        var flags: AbrovaFlags? = device.launch()
        weak var weakOwner: Owner?
        do {
            let owner = Owner()
            weakOwner = owner
            flags?.addListener { _ in withExtendedLifetime(owner) {} }
        }
        #expect(weakOwner != nil)
        flags = nil
        await mainQueueIsEmpty()
        #expect(weakOwner == nil)
    }

    @Test func eventsComeInOrder() async throws {
        let device = Device(["n": 0])
        let flags = await device.ready()
        let (stream, continuation) = AsyncStream<Double>.makeStream()
        flags.addListener { [weak flags] event in
            if case .updated = event { continuation.yield(flags?.getNumber("n", default: -1) ?? -1) }
        }
        let values = FlagProbe(stream)
        for number in 1...100 {
            device.service.setValue(.int(Int64(number)), for: "n")
            await flags.refresh()
        }
        let seen = try await values.elements { $0 == 100 }
        #expect(seen.count >= 1 && seen == seen.sorted())
    }
}
