import Testing

@testable import HTTPServer

@Suite struct StreamClosingTests {
    private let streams = Mailbox<HTTPStream>()
    private let reasons = Mailbox<HTTPStream.CloseReason>()

    private var handler: HTTPServer.Handler {
        { [streams, reasons] _ in
            let stream = HTTPStream { reasons.put($0) }
            streams.put(stream)
            return HTTPResponse(.ok, body: .stream(stream))
        }
    }

    private func open(_ server: HTTPServer, receiveBuffer: Int32? = nil) async throws -> (
        TestClient, HTTPStream
    ) {
        let client = try TestClient(port: server.port, receiveBuffer: receiveBuffer)
        try await client.request("GET", "/")
        _ = try await client.readHead()
        return (client, try #require(await streams.take()))
    }

    #if os(Linux)
        @Test func noticesAClientThatClosesWithoutAnyWrite() async throws {
            try await withServer(handler: handler) { server in
                let (client, stream) = try await open(server)
                client.close()
                #expect(await reasons.take() == .clientGone)
                #expect(!stream.write([1]))
                #expect(await eventually { server.connectionCount == 0 })
            }
        }

        @Test func noticesAClientThatResetsWithoutAnyWrite() async throws {
            try await withServer(handler: handler) { server in
                let (client, _) = try await open(server)
                client.reset()
                #expect(await reasons.take() == .clientGone)
            }
        }

        @Test func noticesAClientThatSentMoreBeforeItClosed() async throws {
            try await withServer(handler: handler) { server in
                let (client, _) = try await open(server)
                try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                client.close()
                #expect(await reasons.take() == .clientGone)
            }
        }
    #endif

    @Test func heartbeatsFreeAClientThatIsGone() async throws {
        try await withServer(handler: handler) { server in
            let (client, stream) = try await open(server)
            client.close()
            #expect(await eventually { !stream.write(Array(": heartbeat\n\n".utf8)) })
            #expect(await reasons.take() == .clientGone)
            #expect(await eventually { server.connectionCount == 0 })
            #expect(reasons.count == 0)
        }
    }

    @Test func dropsASlowReader() async throws {
        try await withServer({ $0.streamBufferLimit = 100_000 }, handler: handler) { server in
            let (client, stream) = try await open(server, receiveBuffer: 4096)
            let bytes = [UInt8](repeating: 1, count: 10_000)
            var accepted = 0
            while stream.write(bytes) {
                accepted += 1
                try #require(accepted < 10_000)
            }
            #expect(stream.bufferedBytes == 0)
            #expect(await reasons.take() == .slowReader)
            #expect(await eventually { server.connectionCount == 0 })
            #expect(!stream.write(bytes))
            #expect(reasons.count == 0)
            // It gets what was on its way, but no proper end.
            await #expect(throws: TestClient.Failure.self) {
                while try await client.readChunk() != nil {}
            }
        }
    }

    @Test func dropsAReaderThatTakesNothingForTheIdleTimeout() async throws {
        try await withServer(
            {
                $0.streamBufferLimit = 100_000_000
                $0.idleTimeout = 1
            }, handler: handler
        ) { server in
            let (client, stream) = try await open(server, receiveBuffer: 4096)
            stream.write([UInt8](repeating: 1, count: 50_000_000))
            #expect(await reasons.take() == .slowReader)
            client.close()
        }
    }

    @Test func othersAreNotHeldUpByASlowReader() async throws {
        try await withServer(
            {
                $0.workerThreads = 1
                $0.streamBufferLimit = 100_000_000
            }, handler: handler
        ) { server in
            let (slow, slowStream) = try await open(server, receiveBuffer: 4096)
            let (fast, fastStream) = try await open(server)
            slowStream.write([UInt8](repeating: 1, count: 20_000_000))
            for byte in UInt8(0)..<100 {
                fastStream.write([byte])
                #expect(try await fast.readChunk() == [byte])
            }
            slow.close()
        }
    }
}
