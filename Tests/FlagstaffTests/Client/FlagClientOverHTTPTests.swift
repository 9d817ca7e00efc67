import FlagLocking
import FlagModel
import FlagstaffTesting
import Foundation
import Testing

@testable import Flagstaff

/// The whole client over real sockets: what the pieces do together.
@Suite(.timeLimit(.minutes(2))) struct FlagClientOverHTTPTests {
    private static let offer = Answers.evaluation(["a": 1], streams: [Answers.evaluationsStream]).json
        .jsonText

    private func client(_ server: LoopbackServer) throws -> FlagClient {
        var configuration = FlagClientConfiguration(
            endpoint: try #require(URL(string: server.url + "/prefix")), key: "k")
        configuration.logger = SilentLogger()
        configuration.cache = .memory
        configuration.telemetry = .off
        return try FlagClient(configuration)
    }

    @Test func startsAndFollowsOurStream() async throws {
        let go = Recorder<Bool>()
        let server = try LoopbackServer { request, connection in
            guard request.target.hasSuffix("/evaluations") else {
                return connection.answer(200, ["ETag": "\"e1\""], Self.offer)
            }
            connection.startStream()
            connection.send(EvaluationsMessage.current(etag: "\"e1\"").event(id: "1").bytes)
            go.record(true)
            let patch = EvaluationsMessage.patch(
                etag: "\"e2\"", changed: Answers.resolutions(["a": 2]), removed: [], metadata: nil)
            connection.send(ServerSentEvent.comment("heartbeat") + patch.event(id: "2").bytes)
            connection.waitForEnd()
            go.record(false)
        }
        defer { server.stop() }
        let client = try client(server)
        #expect(await client.start(context: FlagContext(key: "user"), timeout: 30) == .fresh)
        for await value in client.values(for: "a", default: 0) where value == 2 { break }
        #expect(client.status.connection == .streaming)
        #expect(
            server.requests.map(\.target) == ["/prefix/ofrep/v1/evaluate/flags", "/flagstaff/v1/evaluations"])
        #expect(server.requests.last?.headers["if-none-match"] == "\"e1\"")
        await client.close()
        // The service sees the stream go.
        _ = await go[1]
    }

    @Test func fetchesAfterANoticeOfAStandardStream() async throws {
        let version = Lock(1)
        let server = try LoopbackServer { request, connection in
            if request.method == "GET" {
                connection.startStream()
                version.withLock { $0 = 2 }
                connection.send(ServerSentEvent(data: RefetchNotice(etag: "c+2").data).bytes)
                return connection.waitForEnd()
            }
            let value = FlagValue.int(Int64(version.withLock { $0 }))
            let body = Answers.evaluation(["a": value], streams: [Answers.noticesStream("/sse?t=1")])
            connection.answer(200, [:], body.json.jsonText)
        }
        defer { server.stop() }
        let client = try client(server)
        await client.start(context: FlagContext(key: "user"), timeout: 30)
        for await value in client.values(for: "a", default: 0) where value == 2 { break }
        await client.close()
        #expect(
            server.requests.contains { $0.target == "/sse?t=1" && $0.headers["authorization"] == "Bearer k" })
    }

    @Test func hungServiceDoesNotHoldTheAppUp() async throws {
        let server = try LoopbackServer { _, connection in connection.waitForEnd() }
        defer { server.stop() }
        let client = try client(server)
        let begun = ProcessInfo.processInfo.systemUptime
        #expect(await client.start(context: FlagContext(key: "user"), timeout: 0.2) == .timedOut)
        #expect(ProcessInfo.processInfo.systemUptime - begun >= 0.2)
        await client.close()
    }

    @Test func serviceThatIsAwayIsReportedAtOnce() async throws {
        let server = try LoopbackServer { _, _ in }
        let client = try client(server)
        server.stop()
        let outcome = await client.start(context: FlagContext(key: "user"), timeout: 60)
        #expect(outcome.error?.code == .network)
        #expect(client.value(for: "a", default: 3) == 3)
        await client.close()
    }

    @Test func keyIsNotCarriedToAnotherOrigin() async throws {
        let arrived = Recorder<LoopbackServer.Request>()
        let other = try LoopbackServer { request, connection in
            arrived.record(request)
            connection.startStream()
            connection.waitForEnd()
        }
        defer { other.stop() }
        let body = Answers.evaluation(
            ["a": 1], streams: [EventStream(type: "sse", location: .url(other.url + "/sse"))])
        let server = try LoopbackServer { _, connection in connection.answer(200, [:], body.json.jsonText) }
        defer { server.stop() }
        let client = try client(server)
        await client.start(context: FlagContext(key: "user"), timeout: 30)
        #expect(await arrived[0].headers["authorization"] == nil)
        await client.close()
    }

    @Test func manyClientsComeAndGo() async throws {
        let server = try LoopbackServer { request, connection in
            guard request.target.hasSuffix("/evaluations") else {
                return connection.answer(200, ["ETag": "\"e1\""], Self.offer)
            }
            connection.startStream()
            connection.send(EvaluationsMessage.current(etag: "\"e1\"").event(id: nil).bytes)
            connection.waitForEnd()
        }
        defer { server.stop() }
        for round in 0..<50 {
            let client = try client(server)
            #expect(await client.start(context: FlagContext(key: "user"), timeout: 30) == .fresh)
            #expect(client.value(for: "a", default: 0) == 1)
            // One in two is just let go of.
            if round % 2 == 0 { await client.close() }
        }
    }
}
