import Testing

@testable import HTTPServer

@Suite struct RequestTests {
    @Test func reusesAConnection() async throws {
        try await withServer { server in
            let client = try TestClient(port: server.port)
            for index in 0..<50 {
                let response = try await client.post("/\(index)", "body \(index)")
                #expect(response.status == 200)
                #expect(response.text == "POST /\(index)\nbody \(index)")
                #expect(response.header("Connection") == nil)
            }
            #expect(server.connectionCount == 1)
        }
    }

    @Test func answersPipelinedRequestsInOrder() async throws {
        try await withServer { server in
            let client = try TestClient(port: server.port)
            var text = ""
            for index in 0..<40 {
                text += "POST /\(index) HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
            }
            try await client.send(text)
            for index in 0..<40 {
                #expect(try await client.readResponse().text == "POST /\(index)\nabc")
            }
        }
    }

    @Test func acceptsARequestSplitAtEveryByte() async throws {
        try await withServer { server in
            let request = Array(
                "POST /split?x=1 HTTP/1.1\r\nHost: a\r\nX: y\r\nContent-Length: 5\r\n\r\nhello".utf8)
            let client = try TestClient(port: server.port)
            for cut in 1..<request.count {
                try await client.send(Array(request[..<cut]))
                try await client.send(Array(request[cut...]))
                #expect(try await client.readResponse().text == "POST /split?x=1\nhello")
            }
            for byte in request {
                try await client.send([byte])
            }
            #expect(try await client.readResponse().text == "POST /split?x=1\nhello")
        }
    }

    @Test func acceptsAChunkedBody() async throws {
        try await withServer { server in
            let client = try TestClient(port: server.port)
            try await client.request("POST", "/", headers: ["Transfer-Encoding: chunked"])
            try await client.send("5\r\nhello\r\n")
            try await client.send("1;name=value\r\n \r\n5\r\nworld\r\n0\r\nTrailer: x\r\n\r\n")
            #expect(try await client.readResponse().text == "POST /\nhello world")
            #expect(try await client.get("/again").status == 200)
        }
    }

    @Test func acceptsABodyAfter100Continue() async throws {
        try await withServer { server in
            let client = try TestClient(port: server.port)
            try await client.request("POST", "/", headers: ["Expect: 100-continue", "Content-Length: 5"])
            #expect(try await client.readResponse().status == 100)
            try await client.send("hello")
            #expect(try await client.readResponse().text == "POST /\nhello")
        }
    }

    @Test(arguments: [
        "/flags/a%2Fb", "/flags/%00", "/flags/a+b%2B", "/flags/100%25", "/flags/gr%C3%BCn", "/flags/%zz",
        "/flags/a%3Fb?c=d%26e", "//flags//", "/flags/../x", "/flags/%2e%2e/x",
    ])
    func leavesTheTargetAsItIs(_ target: String) async throws {
        try await withServer { server in
            let client = try TestClient(port: server.port)
            #expect(try await client.get(target).text == "GET \(target)\n")
        }
    }

    @Test func keepsBytesOfTheTargetThatAreNotASCII() async throws {
        try await withServer(handler: { .text(.ok, PercentEncoding.decode(segment: $0.path) ?? "nil") }) {
            server in
            let client = try TestClient(port: server.port)
            #expect(try await client.get("/grün/🚩").text == "/grün/🚩")
        }
    }

    @Test func findsHeaderFieldsWithoutRegardToCase() async throws {
        try await withServer(handler: { request in
            .text(
                .ok,
                [
                    request.header("x-api-key"), request.header("X-API-KEY"), request.header("X-Empty"),
                    request.header("X-None"), request.headers.map(\.name).joined(separator: ","),
                    request.remoteAddress,
                ].map { $0 ?? "nil" }.joined(separator: "|"))
        }) { server in
            let client = try TestClient(port: server.port)
            let response = try await client.get("/", headers: ["X-Api-Key:  secret \t", "X-Empty:"])
            #expect(response.text == "secret|secret||nil|Host,X-Api-Key,X-Empty|127.0.0.1")
        }
    }

    @Test func aRequestThatOutlivesItsHandlerKnowsNoHeaders() async throws {
        // Not `Sendable`, so that it takes force to do this.
        struct Smuggled: @unchecked Sendable { var request: HTTPRequest }
        let kept = Mailbox<Smuggled>()
        try await withServer(handler: { request in
            kept.put(Smuggled(request: request))
            return HTTPResponse(.ok)
        }) { server in
            let client = try TestClient(port: server.port)
            #expect(try await client.post("/a", "b", headers: ["X: y"]).status == 200)
            let request = try #require(await kept.take()).request
            #expect(request.header("X") == nil)
            #expect(request.headers.isEmpty)
            #expect(request.path == "/a")
        }
    }

    @Test func acceptsTheAbsoluteForm() async throws {
        try await withServer(handler: { .text(.ok, $0.path + " " + ($0.query ?? "nil")) }) { server in
            let client = try TestClient(port: server.port)
            #expect(try await client.get("http://localhost:1234/a/b?c").text == "/a/b c")
        }
    }

    @Test func servesHTTP10AndClosesAfterIt() async throws {
        try await withServer { server in
            let client = try TestClient(port: server.port)
            try await client.send("GET /old HTTP/1.0\r\n\r\n")
            #expect(try await client.readResponse().text == "GET /old\n")
            #expect(try await client.readByte() == nil)
        }
    }
}
