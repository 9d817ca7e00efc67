import Foundation
import Testing

@testable import HTTPServer

@Suite struct TLSTests {
    private static func fixture(_ name: String) throws -> String {
        try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures/\(name)").path
    }

    private static func curl(_ arguments: [String]) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "test.curl").async {
                continuation.resume(with: Result { try runCurl(arguments) })
            }
        }
    }

    private static func runCurl(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: curlPath)
        process.arguments = ["--silent", "--show-error", "--max-time", "30"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    private static let curlPath = "/usr/bin/curl"
    private static var hasCurl: Bool { FileManager.default.isExecutableFile(atPath: curlPath) }

    private func tls(certificate: String = "localhost.cert.pem", key: String = "localhost.key.pem") throws
        -> HTTPServer.TLS
    {
        HTTPServer.TLS(
            certificatePath: try Self.fixture(certificate), privateKeyPath: try Self.fixture(key))
    }

    @Test(.enabled(if: hasCurl)) func servesHTTPS() async throws {
        let tls = try tls()
        try await withServer({ $0.tls = tls }) { server in
            let output = try await Self.curl([
                "--cacert", try Self.fixture("localhost.cert.pem"), "--data", "hello",
                "https://localhost:\(server.port)/a%2Fb",
            ])
            #expect(output == "POST /a%2Fb\nhello")
        }
    }

    @Test(.enabled(if: hasCurl)) func streamsOverHTTPS() async throws {
        let tls = try tls()
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        try await withServer(
            { $0.tls = tls },
            handler: { _ in
                let stream = HTTPStream()
                Task {
                    for _ in 0..<10 {
                        stream.write(bytes)
                        await Task.yield()
                    }
                    stream.finish()
                }
                return HTTPResponse(.ok, body: .stream(stream))
            }
        ) { server in
            let output = try await Self.curl(["--insecure", "https://127.0.0.1:\(server.port)/"])
            #expect(output.utf8.count == 1_000_000)
        }
    }

    @Test(.enabled(if: hasCurl)) func refusesLargeBodiesOverHTTPS() async throws {
        let tls = try tls()
        try await withServer({
            $0.tls = tls
            $0.maxBodyBytes = 1000
        }) { server in
            let body = String(repeating: "x", count: 100_000)
            let arguments = ["--insecure", "--data", body, "https://127.0.0.1:\(server.port)/"]
            let answer = try await Self.curl(arguments)
            #expect(answer.contains("413"))
            let chunked = ["--header", "Transfer-Encoding: chunked"] + arguments
            let second = try await Self.curl(chunked)
            #expect(second.contains("413"))
        }
    }

    @Test func anUnfinishedHandshakeIsCut() async throws {
        let tls = try tls()
        try await withServer({
            $0.tls = tls
            $0.requestTimeout = 0.1
        }) { server in
            let client = try TestClient(port: server.port)
            try await client.send([0x16, 0x03, 0x01])
            _ = try? await client.readToEnd()
            #expect(await eventually { server.connectionCount == 0 })
        }
    }

    @Test(arguments: [
        ("missing.pem", "localhost.key.pem", "missing.pem"),
        ("localhost.cert.pem", "missing.pem", "missing.pem"),
        ("localhost.key.pem", "localhost.key.pem", "certificate"),
        ("localhost.cert.pem", "localhost.cert.pem", "private key"),
        ("localhost.cert.pem", "other.key.pem", "no pair"),
        ("localhost.cert.pem", "encrypted.key.pem", "encrypted"),
        ("", "localhost.key.pem", "certificate"),
    ])
    func saysWhatIsWrongWithTheFiles(_ certificate: String, _ key: String, _ problem: String) throws {
        var configuration = HTTPServer.Configuration()
        configuration.tls = try tls(certificate: certificate, key: key)
        let error = #expect(throws: HTTPServerError.self) {
            _ = try HTTPServer.start(configuration, handler: echo)
        }
        #expect(error?.code == .invalidTLS)
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
    }
}
