import Testing

@testable import HTTPServer

@Suite struct StartTests {
    private func error(_ change: (inout HTTPServer.Configuration) -> Void) async -> HTTPServerError? {
        var configuration = HTTPServer.Configuration()
        change(&configuration)
        do {
            let server = try HTTPServer.start(configuration, handler: echo)
            await server.shutdown(grace: 0)
            return nil
        } catch {
            return error as? HTTPServerError
        }
    }

    @Test func takesAnyFreePort() async throws {
        try await withServer { server in
            #expect(server.port != 0)
        }
    }

    @Test func takesTheNameOfThisMachine() async throws {
        try await withServer({ $0.host = "localhost" }) { server in
            let response = try await TestClient(port: server.port).get("/")
            #expect(response.status == 200)
        }
    }

    @Test func saysThatAPortIsTaken() async throws {
        try await withServer { server in
            let failure = await error { $0.port = server.port }
            #expect(failure?.code == .addressInUse)
            #expect(failure?.description.contains(String(server.port)) == true)
        }
    }

    @Test(arguments: ["not an address", "256.1.1.1", "192.0.2.1", "", "example.org"])
    func saysThatAnAddressIsNotOurs(_ host: String) async {
        let failure = await error { $0.host = host }
        #expect(failure?.code == .invalidAddress)
    }

    @Test(.enabled(if: canUseIPv6())) func listensOnIPv6() async throws {
        try await withServer({ $0.host = "::1" }) { server in
            #expect(server.port != 0)
        }
        // The wildcard takes IPv4 too, and shows such clients by their IPv4 address.
        try await withServer({ $0.host = "::" }, handler: { .text(.ok, $0.remoteAddress) }) { server in
            let response = try await TestClient(port: server.port).get("/")
            #expect(response.text == "127.0.0.1")
        }
    }

    @Test func namesTheValueThatMakesNoSense() async {
        #expect(await error { $0.workerThreads = 0 }?.description.contains("workerThreads") == true)
        #expect(await error { $0.maxHeaderBytes = 1 }?.description.contains("maxHeaderBytes") == true)
        #expect(await error { $0.requestTimeout = 0 }?.description.contains("requestTimeout") == true)
        #expect(await error { $0.idleTimeout = .nan }?.description.contains("idleTimeout") == true)
        #expect(await error { $0.maxConnections = 0 }?.code == .invalidConfiguration)
    }

    @Test func lowersTheNumberOfConnectionsToWhatIsPossible() async throws {
        var configuration = HTTPServer.Configuration()
        configuration.maxConnections = 5000
        let messages = Mailbox<String>()
        let lowered = try configuration.checked(fileDescriptors: 1024) { messages.put($0) }
        #expect(lowered.maxConnections == 960)
        #expect(await messages.take(seconds: 1)?.contains("960") == true)
        #expect(try configuration.checked(fileDescriptors: 10_000) { _ in }.maxConnections == 5000)
    }

    @Test(arguments: [1, 2, 4])
    func servesWithAnyNumberOfThreads(_ threads: Int) async throws {
        try await withServer({ $0.workerThreads = threads }) { server in
            let clients = try (0..<20).map { _ in try TestClient(port: server.port) }
            for client in clients {
                #expect(try await client.get("/").status == 200)
            }
        }
    }
}

private func canUseIPv6() -> Bool {
    (try? ListeningSocket(host: "::1", port: 0))?.close() != nil
}
