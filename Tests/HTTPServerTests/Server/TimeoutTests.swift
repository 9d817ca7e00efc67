import Testing

@testable import HTTPServer

@Suite struct TimeoutTests {
    @Sendable private static func json(_ status: HTTPStatus) -> HTTPResponse {
        HTTPResponse(
            status, contentType: "application/json", bytes: Array("{\"status\":\(status.rawValue)}".utf8))
    }

    /// Sends a byte now and then, until the server has had enough.
    private func trickle(_ text: String, to client: TestClient, then rest: Character) async throws {
        try await client.send(text)
        for _ in 0..<200 {
            try await Task.sleep(nanoseconds: 20_000_000)
            do {
                try await client.send(String(rest))
            } catch {
                return
            }
        }
        Issue.record("The server went on listening.")
    }

    @Test func cutsAHeadThatTrickles() async throws {
        try await withServer({ $0.requestTimeout = 0.2 }) { server in
            let client = try TestClient(port: server.port)
            try await trickle("GET / HTTP/1.1\r\nHost: a\r\nX: ", to: client, then: "x")
        }
    }

    @Test func cutsARequestLineThatTrickles() async throws {
        try await withServer({ $0.requestTimeout = 0.2 }) { server in
            let client = try TestClient(port: server.port)
            try await trickle("GET /", to: client, then: "x")
        }
    }

    @Test func cutsABodyThatTrickles() async throws {
        try await withServer({ $0.requestTimeout = 0.2 }) { server in
            let client = try TestClient(port: server.port)
            try await trickle(
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n", to: client, then: "x")
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHos", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    ])
    func tellsAClientThatItIsLate(_ text: String) async throws {
        try await withServer({ $0.requestTimeout = 0.1 }, errorResponse: Self.json) { server in
            let client = try TestClient(port: server.port)
            try await client.send(text)
            let response = try await client.readResponse()
            #expect(response.status == 408)
            #expect(response.text == "{\"status\":408}")
            #expect(response.header("Connection") == "close")
            #expect(try await client.readByte() == nil)
        }
    }

    @Test func appliesToEveryRequestOfAConnection() async throws {
        try await withServer({ $0.requestTimeout = 0.1 }) { server in
            let client = try TestClient(port: server.port)
            #expect(try await client.get("/").status == 200)
            // Idle for longer than a request may take: that is not the same.
            try await Task.sleep(nanoseconds: 200_000_000)
            #expect(try await client.get("/").status == 200)
            try await client.send("GET / HTTP/1.1\r\nHos")
            #expect(try await client.readResponse().status == 408)
        }
    }

    @Test func closesAConnectionWithoutARequestSilently() async throws {
        try await withServer({ $0.requestTimeout = 0.1 }) { server in
            let client = try TestClient(port: server.port)
            #expect(try await client.readToEnd().isEmpty)
        }
    }

    @Test func closesAnIdleConnection() async throws {
        try await withServer({ $0.idleTimeout = 1 }) { server in
            let client = try TestClient(port: server.port)
            #expect(try await client.get("/").status == 200)
            // Without the timeout this would wait until the client gives up, and throw.
            #expect(try await client.readToEnd().isEmpty)
        }
    }

    @Test func leavesAStreamAloneThatHasNothingToSend() async throws {
        try await withServer(
            {
                $0.idleTimeout = 1
                $0.requestTimeout = 0.1
            },
            handler: { request in
                let stream = HTTPStream()
                if request.path == "/late" {
                    late.put(stream)
                }
                return HTTPResponse(.ok, body: .stream(stream))
            }
        ) { server in
            let client = try TestClient(port: server.port)
            try await client.request("GET", "/late")
            #expect(try await client.readHead().status == 200)
            let stream = try #require(await late.take())
            try await Task.sleep(nanoseconds: 1_600_000_000)
            #expect(stream.write([1, 2, 3]))
            #expect(try await client.readChunk() == [1, 2, 3])
        }
    }

    private let late = Mailbox<HTTPStream>()
}
