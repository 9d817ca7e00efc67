import Testing

@testable import HTTPServer

@Suite struct ResponseTests {
    @Test func answersHeadLikeGetWithoutTheBody() async throws {
        try await withServer { server in
            let client = try TestClient(port: server.port)
            try await client.request("HEAD", "/x")
            let response = try await client.readResponse(toHead: true)
            #expect(response.status == 200)
            #expect(response.header("Content-Length") == "7")
            // Nothing of a body may stand before the next response.
            #expect(try await client.get("/y").text == "GET /y\n")
        }
    }

    @Test func aHeadOfAStreamClosesTheStream() async throws {
        let reasons = Mailbox<HTTPStream.CloseReason>()
        try await withServer(handler: { _ in
            let stream = HTTPStream { reasons.put($0) }
            stream.write([1, 2, 3])
            return HTTPResponse(.ok, body: .stream(stream))
        }) { server in
            let client = try TestClient(port: server.port)
            try await client.request("HEAD", "/")
            let head = try await client.readResponse(toHead: true)
            #expect(head.status == 200)
            #expect(head.header("Content-Length") == nil)
            #expect(await reasons.take() == .finished)
            #expect(try await client.readToEnd().isEmpty)
        }
    }

    @Test func aStreamWithAStatusWithoutBodyIsClosed() async throws {
        let reasons = Mailbox<HTTPStream.CloseReason>()
        try await withServer(handler: { _ in
            HTTPResponse(.notModified, body: .stream(HTTPStream { reasons.put($0) }))
        }) { server in
            let client = try TestClient(port: server.port)
            for _ in 0..<3 {
                #expect(try await client.get("/").status == 304)
                #expect(await reasons.take() == .finished)
            }
        }
    }

    @Test(arguments: [204, 304])
    func statusesWithoutABodyHaveNone(_ status: Int) async throws {
        try await withServer(handler: { _ in .text(HTTPStatus(rawValue: status), "never sent") }) { server in
            let client = try TestClient(port: server.port)
            for _ in 0..<3 {
                let response = try await client.get("/")
                #expect(response.status == status)
                #expect(response.header("Transfer-Encoding") == nil)
                #expect(response.header("Content-Length") == (status == 204 ? nil : "10"))
            }
        }
    }

    @Test func anOmittedBodyShowsItsLength() async throws {
        try await withServer(handler: { request in
            HTTPResponse(request.path == "/304" ? .notModified : .ok, body: .omitted(length: 1234))
        }) { server in
            let client = try TestClient(port: server.port)
            let response = try await client.get("/304")
            #expect(response.status == 304)
            #expect(response.header("Content-Length") == "1234")
            try await client.request("HEAD", "/")
            #expect(try await client.readResponse(toHead: true).header("Content-Length") == "1234")
        }
    }

    @Test func anOmittedBodyThatWouldBeNeededIsAnError() async throws {
        try await withServer(handler: { _ in HTTPResponse(.ok, body: .omitted(length: 5)) }) { server in
            let client = try TestClient(port: server.port)
            #expect(try await client.get("/").status == 500)
        }
    }

    @Test func hasALengthAndADate() async throws {
        try await withServer(handler: { _ in HTTPResponse(.created, headers: [HTTPHeader("ETag", "\"1\"")]) })
        {
            server in
            let client = try TestClient(port: server.port)
            let response = try await client.get("/")
            #expect(response.status == 201)
            #expect(response.header("Content-Length") == "0")
            #expect(response.header("ETag") == "\"1\"")
            #expect(response.header("Date")?.hasSuffix("GMT") == true)
        }
    }

    @Test func sendsALargeBody() async throws {
        let bytes = patternBytes(3_000_000)
        try await withServer(handler: { _ in HTTPResponse(.ok, contentType: "a/b", bytes: bytes) }) {
            server in
            let client = try TestClient(port: server.port)
            for _ in 0..<3 {
                let body = try await client.get("/").body
                #expect(isSame(body, bytes))
            }
        }
    }

    @Test func leavesOutAHeaderFieldThatWouldBreakTheResponse() async throws {
        let messages = Mailbox<String>()
        try await withServer(
            log: { messages.put($0) },
            handler: { _ in
                HTTPResponse(.ok, headers: [HTTPHeader("A", "b\r\nInjected: yes"), HTTPHeader("C", "d")])
            }
        ) { server in
            let response = try await TestClient(port: server.port).get("/")
            #expect(response.status == 200)
            #expect(response.header("Injected") == nil)
            #expect(response.header("A") == nil)
            #expect(response.header("C") == "d")
            #expect(await messages.take()?.contains("\"A\"") == true)
        }
    }

    @Test func closesTheConnectionWhenTheHandlerWants() async throws {
        try await withServer(handler: { _ in
            var response = HTTPResponse.text(.ok, "bye")
            response.closesConnection = true
            return response
        }) { server in
            let client = try TestClient(port: server.port)
            let response = try await client.get("/")
            #expect(response.text == "bye")
            #expect(response.header("Connection") == "close")
            #expect(try await client.readByte() == nil)
        }
    }
}
