import FlagLocking
import FlagModel
import FlagstaffTesting
import Foundation
import Testing

@testable import Flagstaff

/// Several endpoints and headers of the moment over real sockets.
@Suite(.timeLimit(.minutes(2))) struct FlagClientFailoverTests {
    private static let context = FlagContext(key: "user")

    private func client(
        _ endpoints: [String], change: (inout FlagClientConfiguration) -> Void = { _ in }
    ) throws -> FlagClient {
        let urls = try endpoints.map { try #require(URL(string: $0)) }
        var configuration = FlagClientConfiguration(endpoint: urls[0], key: "k")
        configuration.fallbackEndpoints = Array(urls.dropFirst())
        configuration.logger = SilentLogger()
        configuration.cache = .memory
        configuration.sync = .manual
        change(&configuration)
        return try FlagClient(configuration)
    }

    private func serving(_ value: FlagValue) throws -> LoopbackServer {
        let body = Answers.evaluation(["a": value]).json.jsonText
        return try LoopbackServer { _, connection in connection.answer(200, [:], body) }
    }

    @Test func refusedConnectionGoesOnToTheNextEndpointAndStaysThere() async throws {
        let gone = try LoopbackServer { _, _ in }
        gone.stop()
        let second = try serving(2)
        defer { second.stop() }
        let client = try client([gone.url, second.url + "/prefix"])
        #expect(await client.start(context: Self.context, timeout: 30) == .fresh)
        #expect(client.value(for: "a", default: 0) == 2)
        #expect(await client.refresh(timeout: 30) == .fresh)
        #expect(
            second.requests.map(\.target) == ["/prefix", "/prefix"].map { $0 + "/ofrep/v1/evaluate/flags" })
        #expect(second.requests.allSatisfy { $0.headers["authorization"] == "Bearer k" })
        await client.close()
    }

    @Test func endpointThatSwallowsEverythingHoldsOnlyTheFirstRequest() async throws {
        let hole = try LoopbackServer { _, connection in connection.waitForEnd() }
        defer { hole.stop() }
        let second = try serving(2)
        defer { second.stop() }
        let client = try client([hole.url, second.url]) { $0.requestTimeout = 3 }
        #expect(await client.start(context: Self.context, timeout: 30) == .fresh)
        for _ in 0..<5 { #expect(await client.refresh(timeout: 30) == .fresh) }
        #expect(hole.requests.count == 1)
        #expect(second.requests.count == 6)
        await client.close()
    }

    @Test func answerInDropsDoesNotTakeAllTheTime() async throws {
        let slow = try LoopbackServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while connection.send(" ") { Thread.sleep(forTimeInterval: 0.02) }
        }
        defer { slow.stop() }
        let second = try serving(2)
        defer { second.stop() }
        let client = try client([slow.url, second.url]) { $0.requestTimeout = 3 }
        #expect(await client.start(context: Self.context, timeout: 30) == .fresh)
        #expect(client.value(for: "a", default: 0) == 2)
        await client.close()
    }

    @Test func allInOneRequestsTime() async throws {
        let holes = try (0..<3).map { _ in try LoopbackServer { _, connection in connection.waitForEnd() } }
        defer { for hole in holes { hole.stop() } }
        let client = try client(holes.map(\.url)) { $0.requestTimeout = 1.5 }
        let outcome = await client.start(context: Self.context, timeout: 30)
        #expect(outcome.error?.code == .timedOut)
        #expect(holes.map(\.requests.count) == [1, 1, 1])
        await client.close()
    }

    @Test(arguments: [401, 403, 429])
    func refusalIsNotTakenElsewhere(status: Int) async throws {
        let first = try LoopbackServer { _, connection in connection.answer(status) }
        defer { first.stop() }
        let second = try serving(2)
        defer { second.stop() }
        let client = try client([first.url, second.url])
        let outcome = await client.start(context: Self.context, timeout: 30)
        #expect(outcome.error?.status == status)
        #expect(second.requests.isEmpty)
        await client.close()
    }

    @Test func streamIsOpenedAtTheEndpointThatAnnouncedIt() async throws {
        let first = try LoopbackServer { _, connection in connection.answer(503) }
        defer { first.stop() }
        let offer = Answers.evaluation(["a": 1], streams: [Answers.evaluationsStream]).json.jsonText
        let second = try LoopbackServer { request, connection in
            guard request.target.hasSuffix("/evaluations") else {
                return connection.answer(200, ["ETag": "\"e1\""], offer)
            }
            connection.startStream()
            connection.send(EvaluationsMessage.current(etag: "\"e1\"").event(id: "1").bytes)
            let patch = EvaluationsMessage.patch(
                etag: "\"e2\"", changed: Answers.resolutions(["a": 2]), removed: [], metadata: nil)
            connection.send(
                ServerSentEvent.comment(String(repeating: " ", count: 512)) + patch.event(id: "2").bytes)
            connection.waitForEnd()
        }
        defer { second.stop() }
        let client = try client([first.url, second.url + "/prefix"]) { $0.sync = .streaming }
        #expect(await client.start(context: Self.context, timeout: 30) == .fresh)
        for await value in client.values(for: "a", default: 0) where value == 2 { break }
        #expect(second.requests.last?.target == "/flagstaff/v1/evaluations")
        #expect(second.requests.last?.headers["authorization"] == "Bearer k")
        #expect(first.requests.count == 1)
        await client.close()
    }

    @Test func headersOfTheMomentGoWithEachRequestAndNowhereElse() async throws {
        let arrived = Recorder<LoopbackServer.Request>()
        let other = try LoopbackServer { request, connection in
            arrived.record(request)
            connection.startStream()
            connection.waitForEnd()
        }
        defer { other.stop() }
        let notices = EventStream(type: "sse", location: .url(other.url + "/sse"))
        let body = Answers.evaluation(["a": 1], streams: [notices]).json.jsonText
        let server = try LoopbackServer { _, connection in connection.answer(200, [:], body) }
        defer { server.stop() }
        let calls = Lock(0)
        let client = try client([server.url]) {
            $0.sync = .streaming
            $0.headerProvider = {
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                return ["X-Token": "token-\(call)"]
            }
        }
        #expect(await client.start(context: Self.context, timeout: 30) == .fresh)
        let stream = await arrived[0]
        #expect(stream.headers["x-token"] == nil)
        #expect(stream.headers["authorization"] == nil)
        #expect(await client.refresh(timeout: 30) == .fresh)
        let tokens = server.requests.compactMap { $0.headers["x-token"] }
        #expect(tokens.count == server.requests.count)
        #expect(tokens == (1...tokens.count).map { "token-\($0)" })
        #expect(tokens.count >= 2)
        await client.close()
    }

    @Test func clientsWithADeadEndpointComeAndGo() async throws {
        let hole = try LoopbackServer { _, connection in connection.waitForEnd() }
        defer { hole.stop() }
        let second = try serving(2)
        defer { second.stop() }
        await withTaskGroup(of: Void.self) { group in
            for round in 0..<24 {
                group.addTask {
                    guard
                        let client = try? self.client(
                            [hole.url, second.url], change: { $0.requestTimeout = 0.5 })
                    else { return }
                    // Some are closed while they are at the first, some in mid-switch, some later.
                    await client.start(context: Self.context, timeout: Double(round) * 0.02)
                    if round % 2 == 0 { await client.close() }
                }
            }
        }
    }
}
