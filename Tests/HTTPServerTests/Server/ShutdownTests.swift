import FlagLocking
import Testing

@testable import HTTPServer

@Suite struct ShutdownTests {
    private let streams = Mailbox<HTTPStream>()
    private let reasons = Mailbox<HTTPStream.CloseReason>()

    private func start(
        port: UInt16 = 0, handler: HTTPServer.Handler? = nil
    ) throws -> HTTPServer {
        var configuration = HTTPServer.Configuration()
        configuration.port = port
        configuration.workerThreads = 2
        return try HTTPServer.start(
            configuration,
            handler: handler ?? { [streams, reasons] request in
                guard request.path == "/stream" else { return echo(request) }
                let stream = HTTPStream { reasons.put($0) }
                streams.put(stream)
                return HTTPResponse(.ok, body: .stream(stream))
            })
    }

    @Test func refusesConnectionsAfterwards() async throws {
        let server = try start()
        #expect(try await TestClient(port: server.port).get("/").status == 200)
        await server.shutdown()
        #expect(throws: TestClient.Failure.self) { try TestClient(port: server.port) }
    }

    @Test func endsOpenStreamsProperly() async throws {
        let server = try start()
        var clients: [TestClient] = []
        for _ in 0..<20 {
            let client = try TestClient(port: server.port)
            try await client.request("GET", "/stream")
            _ = try await client.readHead()
            clients.append(client)
            try #require(await streams.take()).write(Array("last words".utf8))
        }
        await server.shutdown(grace: 5)
        for client in clients {
            #expect(try await client.readChunks(count: 10) == Array("last words".utf8))
            #expect(try await client.readChunk() == nil)
            #expect(try await client.readByte() == nil)
            #expect(await reasons.take() == .serverShutdown)
        }
        #expect(reasons.count == 0)
    }

    @Test func cutsAStreamThatDoesNotDrain() async throws {
        let server = try start()
        let client = try TestClient(port: server.port, receiveBuffer: 4096)
        try await client.request("GET", "/stream")
        _ = try await client.readHead()
        try #require(await streams.take()).write([UInt8](repeating: 0, count: 50_000_000))
        await server.shutdown(grace: 0.2)
        #expect(await reasons.take() == .serverShutdown)
    }

    @Test func letsARequestThatArrivesEnd() async throws {
        let server = try start()
        let client = try TestClient(port: server.port)
        try await client.request("POST", "/", headers: ["Content-Length: 4"])
        try await client.send("ab")
        // The head must have been seen for the request to count as running.
        #expect(await eventually { server.hasRunningRequests })
        async let shutdown: Void = server.shutdown(grace: 10)
        #expect(await eventually { (try? TestClient(port: server.port)) == nil })
        try await client.send("cd")
        let response = try await client.readResponse()
        #expect(response.text == "POST /\nabcd")
        #expect(response.header("Connection") == "close")
        await shutdown
    }

    @Test func doesNotWaitForIdleConnections() async throws {
        let server = try start()
        let client = try TestClient(port: server.port)
        #expect(try await client.get("/").status == 200)
        let begin = MonotonicClock.now
        await server.shutdown(grace: 600)
        #expect(MonotonicClock.now - begin < 60_000)
        #expect(try await client.readByte() == nil)
    }

    @Test func canBeAskedForMoreThanOnce() async throws {
        let server = try start()
        async let first: Void = server.shutdown()
        async let second: Void = server.shutdown()
        _ = await (first, second)
        await server.shutdown()
    }

    @Test func freesThePort() async throws {
        let first = try start()
        let port = first.port
        let client = try TestClient(port: port)
        #expect(try await client.get("/").status == 200)
        await first.shutdown()
        for _ in 0..<10 {
            let next = try start(port: port)
            #expect(next.port == port)
            #expect(try await TestClient(port: port).get("/").status == 200)
            await next.shutdown()
        }
    }

    @Test func happensWhenTheServerIsDropped() async throws {
        var server: HTTPServer? = try start()
        let port = try #require(server?.port)
        let client = try TestClient(port: port)
        try await client.request("GET", "/stream")
        _ = try await client.readHead()
        let stream = try #require(await streams.take())
        #expect(stream.isOpen)
        server = nil
        #expect(await reasons.take() == .serverShutdown)
        #expect(await eventually { (try? TestClient(port: port)) == nil })
    }

    @Test func theLastReferenceMayBeDroppedByAHandler() async throws {
        let holder = Lock<HTTPServer?>(nil)
        let port = try hold(in: holder)
        let streaming = try TestClient(port: port)
        try await streaming.request("GET", "/stream")
        _ = try await streaming.readHead()
        let client = try TestClient(port: port)
        try await client.request("GET", "/drop")
        // Waiting for its own thread, the handler would never return.
        #expect(await reasons.take() == .serverShutdown)
        #expect(await eventually { (try? TestClient(port: port)) == nil })
    }

    private func hold(in holder: Lock<HTTPServer?>) throws -> UInt16 {
        let server = try start(handler: { [reasons] request in
            if request.path == "/drop" {
                holder.withLock { $0 = nil }
                return HTTPResponse(.ok)
            }
            return HTTPResponse(.ok, body: .stream(HTTPStream { reasons.put($0) }))
        })
        holder.withLock { $0 = server }
        return server.port
    }

    @Test func happensWhenTheServerIsFull() async throws {
        let reasons = reasons
        var configuration = HTTPServer.Configuration()
        configuration.maxConnections = 2
        let server = try HTTPServer.start(configuration) { _ in
            HTTPResponse(.ok, body: .stream(HTTPStream { reasons.put($0) }))
        }
        let clients = try (0..<2).map { _ in try TestClient(port: server.port) }
        for client in clients {
            try await client.request("GET", "/")
            _ = try await client.readHead()
        }
        await server.shutdown()
        for client in clients {
            #expect(try await client.readChunk() == nil)
            #expect(await reasons.take() == .serverShutdown)
        }
        #expect(throws: TestClient.Failure.self) { try TestClient(port: server.port) }
    }
}
