import FlagLocking
import FlagModel
import Foundation
import Testing

@testable import Flagstaff

/// The shell over a transport in memory, with everything at once on the test's own thread.
@Suite(.timeLimit(.minutes(1))) struct TelemetryReporterTests {
    private let transport = MemoryTransport()
    private let time = ManualTime()

    private func reporter(
        reads: any ReadCounting = ManualReads(), queue: (any TelemetryQueue)? = nil,
        settings: TelemetrySettings = TelemetrySettings()
    ) -> TelemetryReporter {
        let transport = transport
        return TelemetryReporter(
            settings: settings,
            parts: TelemetryReporter.Parts(
                reads: reads, queue: queue ?? MemoryTelemetryQueue(settings, time: time),
                transport: transport,
                time: time, logger: SilentLogger(),
                request: { body, timeout in
                    URL(string: "https://flags.test/api/v1/telemetry").map {
                        FlagTransportRequest(
                            method: "POST", url: $0, headers: [:], body: body, idleTimeout: timeout)
                    }
                },
                runBlocking: { $0() }, finish: { transport.close() }))
    }

    private func batches() -> [TelemetryBatch] {
        transport.exchanges.elements.compactMap { try? TelemetryBatch.decode($0.request.body ?? []) }
    }

    @Test func sendsNothingAndIsNeverWokenWithoutReads() {
        let reads = ManualReads(tells: true)
        let reporter = reporter(reads: reads)
        reporter.handle(.contextSet(FlagContext(key: "user")))
        #expect(time.timerCount == 0)
        time.advance(by: 86_400)
        #expect(reads.drains == 0)
        #expect(transport.exchanges.elements.isEmpty)
        reads.read()
        #expect(time.timerCount == 1)
        reads.read()
        #expect(time.timerCount == 1)
        time.advance(by: 60)
        #expect(batches().map(\.readCount) == [2])
        transport.exchanges.elements[0].answer(202)
        #expect(time.timerCount == 0)
        #expect(reporter.timerCount == 0)
    }

    @Test func readsBeforeThereIsAReporterAreNotMissed() {
        let reads = ManualReads(tells: true)
        reads.read()
        let reporter = reporter(reads: EagerReads(reads))
        reporter.handle(.contextSet(FlagContext(key: "user")))
        time.advance(by: 60)
        #expect(batches().map(\.readCount) == [1])
    }

    @Test func looksOnceAnIntervalWhereTheCounterDoesNotTell() {
        let reads = ManualReads()
        let reporter = reporter(reads: reads)
        reporter.handle(.contextSet(FlagContext(key: "user")))
        time.advance(by: 600)
        #expect(reads.drains == 10)
        #expect(transport.exchanges.elements.isEmpty)
        reporter.handle(.background)
        let drains = reads.drains
        time.advance(by: 600)
        #expect(reads.drains == drains)
    }

    @Test func numbersItsRequestsBelowThoseOfTheClient() {
        let reads = ManualReads()
        let reporter = reporter(reads: reads)
        reporter.handle(.contextSet(FlagContext(key: "user")))
        var ids: Set<Int> = []
        for _ in 0..<10 {
            reads.read()
            time.advance(by: 60)
            guard let exchange = transport.exchanges.elements.last else { continue }
            ids.insert(exchange.id)
            exchange.answer(202)
        }
        #expect(ids.count == 10)
        #expect(ids.allSatisfy { $0 < 0 })
    }

    @Test func cutsWhatIsNotAnsweredInTimeAndSendsTheSameBytesAgain() {
        let reads = ManualReads()
        let reporter = reporter(reads: reads)
        reporter.handle(.contextSet(FlagContext(key: "user")))
        reads.read()
        time.advance(by: 60)
        let first = transport.exchanges.elements[0]
        time.advance(by: 15)
        #expect(transport.cutIDs == [first.id])
        time.advance(by: 60)
        let second = transport.exchanges.elements[1]
        #expect(first.request.body == second.request.body)
        // Late, and of no account.
        first.answer(401)
        #expect(reporter.phase == .active)
        second.answer(202)
        #expect(transport.exchanges.elements.count == 2)
    }

    @Test func flushReturnsWhenAllHasArrived() async {
        let reporter = reporter()
        reporter.handle(.contextSet(FlagContext(key: "user")))
        #expect(reporter.track("checkout", value: 49.99, properties: ["items": 3]))
        async let isDelivered = reporter.flush(timeout: .infinity)
        await transport.exchanges[0].answer(202)
        #expect(await isDelivered)
        #expect(
            batches().first?.groups.first?.events
                == [.init(name: "checkout", value: 49.99, properties: ["items": 3], time: 1_800_001_000)])
    }

    @Test func flushOfACancelledTaskReturns() async {
        let reporter = reporter()
        reporter.handle(.contextSet(FlagContext(key: "user")))
        reporter.track("a")
        let call = Task { await reporter.flush(timeout: .infinity) }
        _ = await transport.exchanges[0]
        call.cancel()
        #expect(await call.value == false)
        let late = Task { await reporter.flush(timeout: .infinity) }
        late.cancel()
        #expect(await late.value == false)
    }

    @Test func doesNotWaitForATimeThatIsNone() async {
        let reporter = reporter()
        reporter.handle(.contextSet(FlagContext(key: "user")))
        reporter.track("a")
        async let isDelivered = reporter.flush(timeout: .nan)
        _ = await transport.exchanges[0]
        time.advance(by: 0)
        #expect(await isDelivered == false)
    }

    @Test func closeSendsTheLastReportBeforeTheTransportIsClosed() async {
        let reads = ManualReads()
        let reporter = reporter(reads: reads)
        reporter.handle(.contextSet(FlagContext(key: "user")))
        reads.read(times: 7)
        async let close: Void = reporter.close()
        let exchange = await transport.exchanges[0]
        #expect(!transport.isClosed)
        exchange.answer(202)
        await close
        #expect(transport.isClosed)
        #expect(!reads.isCounting)
        #expect(time.timerCount == 0)
        #expect(batches().map(\.readCount) == [7])
        await reporter.close()
        #expect(!reporter.track("late"))
    }

    @Test func refusalEndsCounting() {
        let reads = ManualReads()
        let reporter = reporter(reads: reads)
        reporter.handle(.contextSet(FlagContext(key: "user")))
        reads.read()
        time.advance(by: 60)
        transport.exchanges.elements[0].answer(401)
        #expect(!reads.isCounting)
        #expect(time.timerCount == 0)
        #expect(!transport.isClosed)
    }

    @Test func leavesNothingBehindWhenItIsLetGoOf() {
        let reads = ManualReads(tells: true)
        let queue = MemoryTelemetryQueue(now: { 0 })
        weak var released: TelemetryReporter?
        do {
            let reporter = reporter(reads: reads, queue: queue)
            released = reporter
            reporter.handle(.contextSet(FlagContext(key: "user")))
            reads.read()
            reporter.handle(.release)
        }
        #expect(released == nil)
        #expect(queue.ids.count == 1)
        #expect(transport.exchanges.elements.isEmpty)
        #expect(transport.isClosed)
        #expect(time.timerCount == 0)
        // The counter outlives it.
        reads.read()
    }

    @Test func aTransportThatAnswersAtOnceIsFine() {
        let reads = ManualReads()
        let reporter = TelemetryReporter(
            settings: TelemetrySettings(),
            parts: TelemetryReporter.Parts(
                reads: reads, queue: MemoryTelemetryQueue(now: { 0 }), transport: transport, time: time,
                logger: SilentLogger(), request: { _, _ in nil }, runBlocking: { $0() }))
        reporter.handle(.contextSet(FlagContext(key: "user")))
        reads.read()
        time.advance(by: 600)
        #expect(reporter.phase == .active)
    }

    @Test func stormsFromManyThreadsAreCountedExactly() async {
        let queue = DispatchQueue(label: "test")
        let transport = transport
        let settings = TelemetrySettings(
            .standard, app: FlagAppInfo(name: "test", version: "1"))
        let reporter = TelemetryReporter(
            settings: settings,
            parts: TelemetryReporter.Parts(
                reads: ManualReads(),
                queue: MemoryTelemetryQueue(maximumBatches: 1_000, maximumBytes: .max, now: { 0 }),
                transport: transport, time: time, logger: SilentLogger(),
                request: { body, timeout in
                    URL(string: "https://flags.test/").map {
                        FlagTransportRequest(
                            method: "POST", url: $0, headers: [:], body: body, idleTimeout: timeout)
                    }
                },
                runBlocking: { queue.async(execute: $0) }))
        reporter.handle(.contextSet(FlagContext(key: "user")))
        let service = Task {
            for index in 0... {
                let exchange = await transport.exchanges[index]
                exchange.answer(202)
                let batch = try? TelemetryBatch.decode(exchange.request.body ?? [])
                if batch?.groups.flatMap(\.events).contains(where: { $0.name == "end" }) == true { return }
            }
        }
        let taken = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var taken = 0
                    for number in 0..<5_000 where reporter.track("e", value: Double(number), properties: [:])
                    {
                        taken += 1
                    }
                    return taken
                }
            }
            return await group.reduce(0, +)
        }
        #expect(await reporter.flush(timeout: .infinity))
        // The last event lets the service see that it is over.
        reporter.track("end")
        async let isDelivered = reporter.flush(timeout: .infinity)
        await service.value
        #expect(await isDelivered)
        let sent = batches().map(\.eventCount).reduce(0, +)
        let dropped = batches().map(\.droppedEvents).reduce(0, +)
        #expect(sent == taken + 1)
        #expect(taken + Int(dropped) == 20_000)
        #expect(Set(batches().map(\.id)).count == batches().count)
    }
}

extension TelemetryReporter {
    /// Tracks an event without more.
    @discardableResult
    fileprivate func track(_ name: String) -> Bool {
        track(name, value: nil, properties: [:])
    }
}

/// A counter that tells of its first read while it is asked to tell.
private struct EagerReads: ReadCounting {
    private let reads: ManualReads

    init(_ reads: ManualReads) {
        self.reads = reads
    }

    func drain() -> [CountedRead] { reads.drain() }

    func notifyOfFirstRead(_ body: @escaping @Sendable () -> Void) -> Bool {
        body()
        return reads.notifyOfFirstRead(body)
    }
}
