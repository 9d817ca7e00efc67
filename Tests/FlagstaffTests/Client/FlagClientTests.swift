import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(2))) struct FlagClientTests {
    @Test func nothingIsSentBeforeStart() throws {
        let fixture = try ClientFixture()
        #expect(fixture.transport.exchanges.elements.isEmpty)
        #expect(fixture.client.isEnabled("a", default: true))
        #expect(fixture.client.status == FlagClientStatus(connection: .idle, isReady: false))
        #expect("\(fixture.client.status)" == "idle, not ready")
    }

    @Test func startSendsTheContextAndServesTheAnswer() async throws {
        let fixture = try ClientFixture()
        let context = FlagContext(key: "user-123", attributes: ["plan": "pro", "email": "a+b@example.com"])
        async let outcome = fixture.client.start(context: context)
        let exchange = await fixture.transport.exchanges[0]
        #expect(exchange.request.url.absoluteString == "https://flags.test/base/ofrep/v1/evaluate/flags")
        #expect(exchange.request.method == "POST")
        #expect(exchange.request.headers["Authorization"] == "Bearer client-key")
        #expect(exchange.request.headers["Content-Type"] == "application/json")
        #expect(exchange.request.headers["If-None-Match"] == nil)
        #expect(exchange.context == ["targetingKey": "user-123", "plan": "pro", "email": "a+b@example.com"])
        exchange.answer(["on": true, "n": 3], etag: "\"e1\"")
        #expect(await outcome == .fresh)
        #expect(fixture.client.isEnabled("on"))
        #expect(fixture.client.value(for: "n", default: 0) == 3)
        #expect(fixture.client.context == context)
        #expect(fixture.client.snapshot.keys == ["n", "on"])
    }

    @Test func startReturnsAtItsTimeoutWhateverTheNetworkDoes() async throws {
        let fixture = try ClientFixture()
        async let outcome = fixture.client.start(context: FlagContext(key: "user"), timeout: 3)
        let exchange = await fixture.transport.exchanges[0]
        fixture.time.advance(by: 3)
        #expect(await outcome == .timedOut)
        exchange.answer(["on": true])
        #expect(fixture.client.isEnabled("on"))
    }

    @Test func cancelledTaskReturnsAtOnce() async throws {
        let fixture = try ClientFixture()
        let call = Task { await fixture.client.start(context: FlagContext(key: "user"), timeout: .infinity) }
        _ = await fixture.transport.exchanges[0]
        call.cancel()
        #expect(await call.value == .cancelled)
        let late = Task { await fixture.client.refresh(timeout: .infinity) }
        late.cancel()
        #expect(await late.value == .cancelled)
    }

    @Test func overlappingChangesEachReturnOnceAndTheLastWins() async throws {
        let fixture = try ClientFixture()
        let client = fixture.client
        let first = Task { await client.start(context: FlagContext(key: "one"), timeout: .infinity) }
        let firstExchange = await fixture.transport.exchanges[0]
        let second = Task { await client.setContext(FlagContext(key: "two"), timeout: .infinity) }
        let secondExchange = await fixture.transport.exchanges[1]
        #expect(fixture.transport.cutIDs == [firstExchange.id])
        secondExchange.answer(["who": "two"])
        firstExchange.answer(["who": "one"])
        #expect(await first.value == .superseded)
        #expect(await second.value == .fresh)
        #expect(client.value(for: "who", default: "") == "two")
    }

    @Test func changesArriveOverTheStream() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1, "b": 1])
        #expect(stream.request.url.absoluteString == "https://flags.test/flagstaff/v1/evaluations")
        #expect(stream.request.method == "POST")
        #expect(stream.request.headers["Accept"] == "text/event-stream")
        #expect(stream.request.headers["If-None-Match"] == "e1")
        #expect(stream.request.headers["Authorization"] == "Bearer client-key")
        #expect(fixture.client.status.connection == .streaming)
        stream.send(.patch(etag: "e2", changed: Answers.resolutions(["a": 2]), removed: ["b"], metadata: nil))
        #expect(fixture.client.value(for: "a", default: 0) == 2)
        #expect(fixture.client.evaluation(of: "b", default: 7).errorCode == .flagNotFound)
    }

    @Test func closeReturnsWaitingCallsAndKeepsReads() async throws {
        let fixture = try ClientFixture()
        let stream = await fixture.startStreaming(["a": 1])
        async let refresh = fixture.client.refresh(timeout: .infinity)
        _ = await fixture.transport.exchanges[1]
        await fixture.client.close()
        await fixture.client.close()
        #expect(await refresh == .closed)
        #expect(fixture.transport.isClosed)
        #expect(fixture.transport.cutIDs.contains(stream.id))
        #expect(fixture.time.timerCount == 0)
        #expect(fixture.client.value(for: "a", default: 0) == 1)
        #expect(await fixture.client.start(context: FlagContext(key: "user")) == .closed)
        #expect(fixture.client.status.connection == .closed)
    }

    @Test func refusalIsReportedAndEndsAutomaticWork() async throws {
        let fixture = try ClientFixture()
        async let outcome = fixture.client.start(context: FlagContext(key: "user"))
        await fixture.transport.exchanges[0].answer(401)
        let result = await outcome
        #expect(result.kind == .failed)
        #expect(result.error?.code == .unauthorized)
        #expect(fixture.client.status.connection == .stopped)
        #expect(fixture.time.timerCount == 0)
    }

    @Test func manyConcurrentCallsAllReturnOnce() async throws {
        let fixture = try ClientFixture()
        let client = fixture.client
        let transport = fixture.transport
        let service = Task {
            for index in 0... {
                let exchange = await transport.exchanges[index]
                if Task.isCancelled { return }
                exchange.answer(["who": exchange.context["targetingKey"] ?? ""])
            }
        }
        let outcomes = await withTaskGroup(of: FlagUpdateOutcome.self) { group in
            for number in 0..<400 {
                group.addTask {
                    number % 4 == 0
                        ? await client.refresh(timeout: .infinity)
                        : await client.setContext(FlagContext(key: "user-\(number)"), timeout: .infinity)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 400)
        #expect(outcomes.contains { $0.isFresh })
        let last = await client.refresh(timeout: .infinity)
        #expect(last == .fresh)
        #expect(client.value(for: "who", default: "?") == client.context.targetingKey)
        // One more request lets the service see that it is over.
        service.cancel()
        async let unanswered = client.refresh(timeout: .infinity)
        await service.value
        await client.close()
        #expect(await unanswered == .closed)
    }
}
