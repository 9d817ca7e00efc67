import FlagLocking
import FlagModel

@testable import Flagstaff

/// A transport without a network: a test takes the requests and answers them, on its own thread.
final class MemoryTransport: FlagTransport {
    /// A request that waits for its answer.
    struct Exchange: Sendable {
        let id: Int
        let request: FlagTransportRequest
        let completion: @Sendable (Result<FlagTransportResponse, FlagTransportError>) -> Void

        /// Answers.
        func answer(_ status: Int, _ headers: [String: String] = [:], _ body: String = "") {
            completion(.success(.init(head: .init(status: status, headers: headers), body: Array(body.utf8))))
        }

        /// Answers with flags.
        func answer(_ values: [String: FlagValue], etag: String? = nil, streams: [EventStream]? = nil) {
            var headers: [String: String] = [:]
            headers["ETag"] = etag
            answer(200, headers, Answers.evaluation(values, streams: streams).json.jsonText)
        }

        /// Fails as a network does.
        func fail() {
            completion(.failure(FlagTransportError(kind: .network, message: "no network")))
        }

        /// The context that was sent.
        var context: [String: FlagValue] {
            (try? OFREPContext.parse(request.body ?? [])) ?? [:]
        }
    }

    /// A stream that a test feeds.
    struct Stream: Sendable {
        let id: Int
        let request: FlagTransportRequest
        let receive: @Sendable (FlagTransportSignal) -> Void

        /// Accepts the stream.
        func accept() {
            receive(.head(FlagTransportHead(status: 200, headers: ["Content-Type": "text/event-stream"])))
        }

        /// Sends a message.
        func send(_ message: EvaluationsMessage, id: String? = nil) {
            receive(.bytes(message.event(id: id).bytes))
        }
    }

    /// What was sent, in order.
    let exchanges = Recorder<Exchange>()
    /// What was opened, in order.
    let streams = Recorder<Stream>()
    private let cut = Lock<(ids: Set<Int>, isClosed: Bool)>(([], false))

    /// The numbers of what was cut.
    var cutIDs: Set<Int> { cut.withLock { $0.ids } }
    /// Whether the client has closed the transport.
    var isClosed: Bool { cut.withLock { $0.isClosed } }

    func send(
        _ request: FlagTransportRequest, id: Int,
        completion: @escaping @Sendable (Result<FlagTransportResponse, FlagTransportError>) -> Void
    ) {
        exchanges.record(Exchange(id: id, request: request, completion: completion))
    }

    func open(
        _ request: FlagTransportRequest, id: Int, receive: @escaping @Sendable (FlagTransportSignal) -> Void
    ) {
        streams.record(Stream(id: id, request: request, receive: receive))
    }

    func cancel(_ id: Int) {
        cut.withLock { _ = $0.ids.insert(id) }
    }

    func close() {
        cut.withLock { $0.isClosed = true }
    }
}
