import FlagEvaluation
import FlagModel
import FlagService
import FlagStore
import Flagstaff
import Foundation
import HTTPServer
import Testing

/// The service on a real socket, used by the real client.
@Suite(.timeLimit(.minutes(1))) struct LiveServiceTests {
    private static let pro = FlagContext(key: "u", attributes: ["plan": "pro"])

    /// A service on a free port.
    private struct Live {
        let source = ManualSource()
        let service: FlagService
        let server: HTTPServer

        init(keys: [String] = [], port: UInt16 = 0, _ flags: [String: FlagValue]) throws {
            service = FlagService(source: source, keys: try ClientKeys(keys), clock: { 1_700_000_000 })
            service.start()
            try source.publish(["flags": .object(flags)])
            let service = service
            var configuration = HTTPServer.Configuration()
            configuration.port = port
            server = try HTTPServer.start(
                configuration, errorResponse: { service.errorResponse(for: $0) },
                handler: { service.handle($0) })
        }

        func publish(_ flags: [String: FlagValue]) throws {
            try source.publish(["flags": .object(flags)])
        }

        func client(
            key: String? = nil, sync: FlagSyncMode = .streaming, flagSets: [String] = []
        ) throws -> FlagClient {
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
            var configuration = FlagClientConfiguration(endpoint: url, key: key)
            configuration.sync = sync
            configuration.cache = .memory
            configuration.flagSets = flagSets
            configuration.logger = SilentLogger()
            return try FlagClient(configuration)
        }

        func end() async {
            service.stop()
            await server.shutdown(grace: 1)
        }
    }

    @Test func aClientReadsWhatTheServiceEvaluates() async throws {
        let live = try Live([
            "checkout": Sample.onForPlan("pro"), "n": Sample.constant(["x": 7], default: "x"),
        ])
        let client = try live.client()
        #expect(await client.start(context: Self.pro).isFresh)
        #expect(client.isEnabled("checkout"))
        #expect(client.value(for: "n", default: 0) == 7)
        #expect(client.evaluation(of: "checkout", default: false).reason == .targetingMatch)
        #expect(client.evaluation(of: "nothing", default: false).errorCode == .flagNotFound)
        await client.close()
        await live.end()
    }

    @Test func aClientSeesEachChangeLive() async throws {
        let live = try Live(["n": Sample.constant(["x": 0], default: "x")])
        let client = try live.client()
        #expect(await client.start(context: Self.pro).isFresh)
        var values = client.values(for: "n", default: -1).makeAsyncIterator()
        #expect(await values.next() == 0)
        for value in 1...20 {
            try live.publish(["n": Sample.constant(["x": .int(Int64(value))], default: "x")])
            #expect(await values.next() == value)
        }
        try live.publish([:])
        #expect(await values.next() == -1)
        await client.close()
        #expect(await values.next() == nil)
        await live.end()
    }

    @Test func aClientOfSomeFlagSetsSeesNoOthersAtStartNorLive() async throws {
        let live = try Live(Sample.inSets(["a": "x", "b": "y", "c": "z"]))
        let client = try live.client(flagSets: [" z", "x", ""])
        #expect(await client.start(context: Self.pro).isFresh)
        #expect(client.names == ["a", "c"])
        var values = client.values(for: "c", default: -1).makeAsyncIterator()
        #expect(await values.next() == 3)
        // A new flag of another set shifts the numbers: all values change, and there is one more to pass over.
        try live.publish(Sample.inSets(["a": "x", "aa": "y", "b": "y", "c": "z", "d": "x"]))
        #expect(await values.next() == 4)
        #expect(client.names == ["a", "c", "d"])
        #expect(client.status.connection == .streaming)
        // A flag that moves to another set is gone here.
        try live.publish(Sample.inSets(["a": "x", "c": "y"]))
        #expect(await values.next() == -1)
        #expect(client.names == ["a"])
        await client.close()
        await live.end()
    }

    @Test func aClientGetsTheValuesOfItsNewContext() async throws {
        let live = try Live(["checkout": Sample.onForPlan("pro")])
        let client = try live.client()
        #expect(await client.start(context: FlagContext(key: "u", attributes: ["plan": "free"])).isFresh)
        #expect(!client.isEnabled("checkout"))
        #expect(await client.setContext(Self.pro).isFresh)
        #expect(client.isEnabled("checkout"))
        var values = client.values(for: "checkout", default: false).makeAsyncIterator()
        #expect(await values.next() == true)
        try live.publish(["checkout": Sample.onForPlan("team")])
        #expect(await values.next() == false)
        await client.close()
        await live.end()
    }

    @Test func aClientWithoutTheRightKeyIsToldSo() async throws {
        let live = try Live(keys: ["right"], ["a": Sample.constant(["on": true], default: "on")])
        for key in [nil, "wrong"] {
            let client = try live.client(key: key)
            let outcome = await client.start(context: Self.pro)
            #expect(outcome.kind == .failed)
            #expect(outcome.error?.code == .unauthorized)
            #expect(!client.isEnabled("a"))
            await client.close()
        }
        let client = try live.client(key: "right")
        #expect(await client.start(context: Self.pro).isFresh)
        #expect(client.isEnabled("a"))
        var values = client.values(for: "a", default: true).makeAsyncIterator()
        #expect(await values.next() == true)
        try live.publish(["a": Sample.constant(["off": false], default: "off")])
        #expect(await values.next() == false)
        await client.close()
        await live.end()
    }

    @Test func aClientComesBackAfterARestart() async throws {
        let first = try Live(["n": Sample.constant(["x": 1], default: "x")])
        let client = try first.client()
        #expect(await client.start(context: Self.pro).isFresh)
        var values = client.values(for: "n", default: -1).makeAsyncIterator()
        #expect(await values.next() == 1)
        let port = first.server.port
        await first.end()
        #expect(client.value(for: "n", default: -1) == 1)
        let second = try Live(port: port, ["n": Sample.constant(["x": 2], default: "x")])
        #expect(await values.next() == 2)
        await client.close()
        await second.end()
    }

    @Test func manyClientsSeeTheSameLastValue() async throws {
        let live = try Live([
            "n": Sample.constant(["x": 0], default: "x"), "mine": Sample.onForPlan("plan 3"),
        ])
        let clients = try (0..<10).map { _ in try live.client() }
        for (number, client) in clients.enumerated() {
            let context = FlagContext(key: "user \(number)", attributes: ["plan": .string("plan \(number)")])
            #expect(await client.start(context: context).isFresh)
        }
        for value in 1...50 {
            try live.publish([
                "n": Sample.constant(["x": .int(Int64(value))], default: "x"),
                "mine": Sample.onForPlan("plan 3"),
            ])
        }
        for (number, client) in clients.enumerated() {
            for await value in client.values(for: "n", default: -1) where value == 50 { break }
            #expect(client.isEnabled("mine") == (number == 3))
            await client.close()
        }
        await live.end()
    }

    @Test func aFileChangeReachesAClient() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "flagstaff-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("flags.json")
        let definition = { (value: Int64) in
            Data(
                FlagValue.object(["flags": ["n": Sample.constant(["x": .int(value)], default: "x")]]).jsonText
                    .utf8)
        }
        try definition(1).write(to: file)
        let service = FlagService(
            source: FileFlagSource(path: file.path), keys: try ClientKeys([]), clock: { 0 })
        service.start()
        let server = try HTTPServer.start(handler: { service.handle($0) })
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        var configuration = FlagClientConfiguration(endpoint: url)
        configuration.cache = .memory
        let client = try FlagClient(configuration)
        await client.start(context: Self.pro, timeout: 20)
        var values = client.values(for: "n", default: -1).makeAsyncIterator()
        while let value = await values.next(), value != 1 {}
        try definition(2).write(to: file, options: .atomic)
        #expect(await values.next() == 2)
        try Data("{".utf8).write(to: file, options: .atomic)
        try definition(3).write(to: file, options: .atomic)
        #expect(await values.next() == 3)
        await client.close()
        service.stop()
        await server.shutdown(grace: 1)
    }
}
