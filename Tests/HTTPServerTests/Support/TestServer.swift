@testable import HTTPServer

/// Runs a server on a free port for as long as the body lasts.
func withServer(
    _ configure: (inout HTTPServer.Configuration) -> Void = { _ in },
    log: @escaping @Sendable (String) -> Void = { _ in },
    errorResponse: @escaping @Sendable (HTTPStatus) -> HTTPResponse = HTTPServer.plainErrorResponse,
    handler: @escaping HTTPServer.Handler = echo,
    _ body: (HTTPServer) async throws -> Void
) async throws {
    var configuration = HTTPServer.Configuration()
    configuration.workerThreads = 2
    configure(&configuration)
    let server = try HTTPServer.start(configuration, errorResponse: errorResponse, log: log, handler: handler)
    do {
        try await body(server)
    } catch {
        await server.shutdown(grace: 0)
        throw error
    }
    await server.shutdown(grace: 0)
}

/// A handler that tells what it got.
@Sendable func echo(_ request: HTTPRequest) -> HTTPResponse {
    HTTPResponse(
        .ok, contentType: "text/plain", headers: [HTTPHeader("X-Body-Bytes", String(request.body.count))],
        bytes: Array("\(request.method.rawValue) \(request.target)\n".utf8) + request.body)
}

/// Whether the condition becomes true within thirty seconds.
func eventually(_ condition: () -> Bool) async -> Bool {
    let deadline = MonotonicClock.now + 30_000
    while MonotonicClock.now < deadline {
        if condition() { return true }
        try? await Task.sleep(nanoseconds: 2_000_000)
    }
    return condition()
}
