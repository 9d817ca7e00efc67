import Dispatch

/// A client for tests that are tasks: it blocks a thread of its own instead of theirs.
final class TestClient: Sendable {
    typealias Failure = RawClient.Failure

    // @unchecked: used on `queue` only.
    private struct Guarded: @unchecked Sendable {
        let client: RawClient
    }

    private let queue = DispatchQueue(label: "test.client")
    private let guarded: Guarded

    /// Connects; see ``RawClient``.
    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        guarded = Guarded(client: try RawClient(port: port, receiveBuffer: receiveBuffer))
    }

    /// Runs the body with the blocking client, after everything that was asked for before.
    @discardableResult
    func run<Result: Sendable>(_ body: @escaping @Sendable (RawClient) throws -> Result) async throws
        -> Result
    {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [guarded] in
                continuation.resume(with: Swift.Result { try body(guarded.client) })
            }
        }
    }

    func close() { queue.sync { guarded.client.close() } }
    func reset() { queue.sync { guarded.client.reset() } }

    func send(_ text: String) async throws { try await run { try $0.send(text) } }
    func send(_ bytes: [UInt8]) async throws { try await run { try $0.send(bytes) } }
    func readByte() async throws -> UInt8? { try await run { try $0.readByte() } }
    func read(_ count: Int) async throws -> [UInt8] { try await run { try $0.read(count) } }
    func readToEnd() async throws -> [UInt8] { try await run { try $0.readToEnd() } }
    func readHead() async throws -> TestResponse { try await run { try $0.readHead() } }
    func readChunk() async throws -> [UInt8]? { try await run { try $0.readChunk() } }
    func readChunks(count: Int) async throws -> [UInt8] { try await run { try $0.readChunks(count: count) } }

    func readResponse(toHead isHead: Bool = false) async throws -> TestResponse {
        try await run { try $0.readResponse(toHead: isHead) }
    }

    func request(_ method: String, _ target: String, headers: [String] = [], body: String? = nil) async throws
    {
        try await run { try $0.request(method, target, headers: headers, body: body) }
    }

    func get(_ target: String, headers: [String] = []) async throws -> TestResponse {
        try await run { try $0.get(target, headers: headers) }
    }

    func post(_ target: String, _ body: String, headers: [String] = []) async throws -> TestResponse {
        try await run { try $0.post(target, body, headers: headers) }
    }
}
