import Testing

@testable import HTTPServer

@Suite struct StreamingTests {
    private let streams = Mailbox<HTTPStream>()
    private let reasons = Mailbox<HTTPStream.CloseReason>()

    /// Gives each request a stream, and the test the stream.
    private var handler: HTTPServer.Handler {
        { [streams, reasons] request in
            guard request.path == "/stream" else { return echo(request) }
            let stream = HTTPStream { reasons.put($0) }
            streams.put(stream)
            return HTTPResponse(
                .ok, headers: [HTTPHeader("Content-Type", "text/event-stream")], body: .stream(stream))
        }
    }

    private func open(_ server: HTTPServer) async throws -> (TestClient, HTTPStream) {
        let client = try TestClient(port: server.port)
        try await client.request("GET", "/stream")
        let head = try await client.readHead()
        #expect(head.status == 200)
        #expect(head.header("Transfer-Encoding") == "chunked")
        return (client, try #require(await streams.take()))
    }

    @Test func sendsHeadAndBytesAtOnce() async throws {
        try await withServer(handler: handler) { server in
            let (client, stream) = try await open(server)
            for byte in UInt8(0)..<20 {
                // Nothing more is written until this has come: the server must not wait for more.
                #expect(stream.write([byte]))
                #expect(try await client.readChunk() == [byte])
            }
            stream.finish()
            #expect(try await client.readChunk() == nil)
            #expect(await reasons.take() == .finished)
        }
    }

    @Test func servesTheNextRequestAfterAStream() async throws {
        try await withServer(handler: handler) { server in
            let (client, stream) = try await open(server)
            stream.write([1])
            stream.finish()
            #expect(try await client.readChunks(count: 1) == [1])
            #expect(try await client.readChunk() == nil)
            #expect(try await client.get("/next").text == "GET /next\n")
            try await client.request("GET", "/stream")
            #expect(try await client.readHead().status == 200)
            let second = try #require(await streams.take())
            second.write([2])
            #expect(try await client.readChunk() == [2])
        }
    }

    @Test func sendsWhatWasWrittenBeforeTheStart() async throws {
        try await withServer(handler: { _ in
            let stream = HTTPStream()
            stream.write(Array("first ".utf8))
            stream.write(Array("second".utf8))
            stream.finish()
            return HTTPResponse(.ok, body: .stream(stream))
        }) { server in
            let client = try TestClient(port: server.port)
            for _ in 0..<20 {
                #expect(try await client.get("/").text == "first second")
            }
        }
    }

    @Test func aStreamThatIsFinishedBeforeTheStartIsEmpty() async throws {
        try await withServer(handler: { [reasons] _ in
            let stream = HTTPStream { reasons.put($0) }
            stream.finish()
            return HTTPResponse(.ok, body: .stream(stream))
        }) { server in
            let client = try TestClient(port: server.port)
            #expect(try await client.get("/").body.isEmpty)
            #expect(await reasons.take() == .finished)
            #expect(try await client.get("/").status == 200)
        }
    }

    @Test func servesHTTP10ClientsToo() async throws {
        try await withServer(handler: handler) { server in
            let client = try TestClient(port: server.port)
            try await client.send("GET /stream HTTP/1.0\r\n\r\n")
            #expect(try await client.readHead().header("Transfer-Encoding") == nil)
            let stream = try #require(await streams.take())
            let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
            stream.write(bytes)
            #expect(try await client.read(10_000) == bytes)
            stream.write([7])
            #expect(try await client.read(1) == [7])
            stream.finish()
            #expect(try await client.readToEnd().isEmpty)
            #expect(await reasons.take() == .finished)
        }
    }

    @Test func sendsOneLargeWrite() async throws {
        try await withServer({ $0.streamBufferLimit = 1000 }, handler: handler) { server in
            let (client, stream) = try await open(server)
            let bytes = patternBytes(5_000_000)
            #expect(stream.write(bytes))
            stream.finish()
            let received = try await client.readChunks(count: bytes.count)
            #expect(isSame(received, bytes))
            #expect(try await client.readChunk() == nil)
        }
    }

    @Test func keepsTheOrderOfWritesFromSeveralThreads() async throws {
        try await withServer({ $0.streamBufferLimit = 100_000_000 }, handler: handler) { server in
            let (client, stream) = try await open(server)
            let writers = 4
            let perWriter = 2500
            async let writing: Void = {
                await concurrently(writers) { writer in
                    for number in 0..<perWriter {
                        stream.write(Array("\(writer):\(number)\n".utf8))
                    }
                }
                stream.finish()
            }()
            var bytes: [UInt8] = []
            while let chunk = try await client.readChunk() {
                bytes += chunk
            }
            await writing
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
            #expect(lines.count == writers * perWriter)
            for writer in 0..<writers {
                let prefix = "\(writer):"
                let numbers = lines.filter { $0.hasPrefix(prefix) }.compactMap {
                    Int($0.dropFirst(prefix.count))
                }
                #expect(numbers == Array(0..<perWriter))
            }
        }
    }

    @Test func writesAfterTheEndAreRefused() async throws {
        try await withServer(handler: handler) { server in
            let (client, stream) = try await open(server)
            stream.finish()
            #expect(!stream.write([1]))
            #expect(try await client.readChunk() == nil)
            #expect(await reasons.take() == .finished)
            #expect(!stream.write([1]))
            stream.finish()
            #expect(reasons.count == 0)
        }
    }

    @Test func tellsWhoeverAsksAfterTheEnd() async throws {
        try await withServer(handler: handler) { server in
            let (client, stream) = try await open(server)
            stream.finish()
            #expect(try await client.readChunk() == nil)
            #expect(await reasons.take() == .finished)
            stream.onClose { [reasons] in reasons.put($0) }
            #expect(await reasons.take() == .finished)
        }
    }

    @Test func aStreamInTwoResponsesIsRefused() async throws {
        let shared = HTTPStream()
        try await withServer(handler: { _ in HTTPResponse(.ok, body: .stream(shared)) }) { server in
            let first = try TestClient(port: server.port)
            try await first.request("GET", "/")
            #expect(try await first.readHead().status == 200)
            #expect(try await TestClient(port: server.port).get("/").status == 500)
            shared.write([1])
            #expect(try await first.readChunk() == [1])
        }
    }
}
