import FlagLocking

/// One TCP connection: gathers a request, has it answered, and again.
///
/// Its methods are called by the one worker thread that serves the connection, except those said to be callable
/// from any thread.
// @unchecked: everything but `state` belongs to that worker thread.
final class HTTPConnection: @unchecked Sendable {
    /// Unique within its server, never reused.
    let id: UInt64
    /// What other threads may look at.
    let state: Lock<ConnectionState>
    unowned let core: ServerCore
    /// Whether it was accepted beyond the configured number, to be refused politely.
    private let isExcess: Bool

    private var target = HTTPTarget("/")
    private var body: [UInt8] = []
    private var progress = Progress.head
    // Set while a callback of the library is running.
    private var handle: ConnectionHandle?
    private var knownRemoteAddress: String?

    private enum Progress {
        /// The library has not yet presented the request.
        case head
        case body
        /// An answer is queued already: what still arrives is of no interest.
        case refused
        /// The body is too large, and is thrown away until it ends.
        case discarding(Int)
    }

    init(id: UInt64, socket: Int32, core: ServerCore, isExcess: Bool, isDraining: Bool) {
        self.id = id
        self.core = core
        self.isExcess = isExcess
        let initial = ConnectionState(socket: socket, isDraining: isDraining, now: MonotonicClock.now)
        state = Lock(initial)
    }

    // MARK: Events, in the order in which the library tells them

    /// The request line has arrived.
    func requestLineReceived(_ raw: UnsafePointer<CChar>?) {
        state.withLock { $0.requestLineReceived(now: MonotonicClock.now) }
        progress = .head
        // The length of the target is bounded by the connection's memory.
        let text = raw.map { String(cString: $0) } ?? ""
        // Clients tend to ask for the same thing again.
        if text != target.raw {
            target = HTTPTarget(text)
        }
    }

    /// The library's access handler: first the head, then pieces of the body, then the end.
    ///
    /// - Parameters:
    ///   - handle: the library's connection.
    ///   - method: the request's method.
    ///   - isOldVersion: whether the request is HTTP/1.0.
    ///   - bytes: the piece of the body, or nothing.
    /// - Returns: false to drop the connection.
    func receive(
        _ handle: ConnectionHandle, method: UnsafePointer<CChar>?, isOldVersion: Bool,
        bytes: UnsafeRawBufferPointer
    ) -> Bool {
        self.handle = handle
        defer { self.handle = nil }
        switch progress {
        case .head:
            progress = .body
            return receiveHead(handle, isOldVersion: isOldVersion)
        case .body where !bytes.isEmpty:
            return receiveBody(bytes)
        case .body:
            return answer(handle, method: HTTPMethod(rawValue: method.map { String(cString: $0) } ?? ""))
        case .discarding(let count) where !bytes.isEmpty:
            progress = .discarding(count + bytes.count)
            return count + bytes.count <= RequestLimits.discardedBytes
        case .discarding:
            return refuse(.contentTooLarge, handle, hasBody: false)
        case .refused:
            return true
        }
    }

    /// The response is sent or given up; the connection may serve another request.
    func requestCompleted(_ outcome: HTTPStream.CloseReason) {
        let (stream, socket) = state.withLock { state in
            (state.requestCompleted(now: MonotonicClock.now), state.socket)
        }
        progress = .head
        body = []
        if let stream {
            core.monitor.unwatch(socket)
            stream.detach(outcome)
        }
    }

    /// The connection is about to be closed.
    func closed() {
        state.withLock { $0.close() }
    }

    // MARK: A request's parts

    private func receiveHead(_ handle: ConnectionHandle, isOldVersion: Bool) -> Bool {
        body.removeAll()
        let head = handle.head(isOldVersion: isOldVersion)
        if isExcess {
            return refuse(.serviceUnavailable, handle, hasBody: head.hasBody)
        }
        switch RequestLimits(core.configuration).check(head) {
        case .refuse(let status):
            return refuse(status, handle, hasBody: head.hasBody)
        case .accept(let expectedBytes):
            body.reserveCapacity(expectedBytes)
            return true
        }
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= core.configuration.maxBodyBytes else {
            body = []
            progress = .discarding(bytes.count)
            // Where that does not work, what follows is thrown away and the answer comes at the end.
            return !answerEarly(.contentTooLarge)
        }
        body.append(contentsOf: bytes)
        return true
    }

    private func answer(_ handle: ConnectionHandle, method: HTTPMethod) -> Bool {
        guard state.withLock({ $0.beginAnswering() }) else { return false }
        let request = HTTPRequest(method: method, target: target, body: body, connection: self)
        body = []
        return send(core.handler(request), handle, isHead: request.isHead)
    }

    /// Answers with an error of the server's own, and closes the connection.
    private func refuse(_ status: HTTPStatus, _ handle: ConnectionHandle, hasBody: Bool) -> Bool {
        guard state.withLock({ $0.beginAnswering() }) else { return false }
        progress = .refused
        if hasBody {
            core.monitor.linger(handle.socket)
        }
        var response = core.errorResponse(status)
        response.closesConnection = true
        return send(response, handle, isHead: false)
    }

    private func send(_ response: HTTPResponse, _ handle: ConnectionHandle, isHead: Bool) -> Bool {
        if let object = prepare(response, handle, isHead: isHead) {
            defer { core.destroy(object) }
            return handle.queue(response.status, object)
        }
        core.log("A response with status \(response.status.rawValue) became a 500: its body cannot be sent.")
        let replacement = core.errorResponse(.internalServerError)
        guard let object = prepare(replacement, handle, isHead: isHead) else { return false }
        defer { core.destroy(object) }
        return handle.queue(replacement.status, object)
    }

    /// The library's form of a response, with its stream attached; nil when its body cannot be sent.
    private func prepare(_ response: HTTPResponse, _ handle: ConnectionHandle, isHead: Bool) -> OpaquePointer?
    {
        let isDraining = state.withLock { $0.isDraining }
        let isBodyless = isHead || response.status == .noContent || response.status == .notModified
        guard
            let object = response.makeLibraryResponse(
                isBodyless: isBodyless, closing: isDraining, log: core.log)
        else { return nil }
        if case .stream(let stream) = response.body, !attach(stream, handle) {
            core.destroy(object)
            return nil
        }
        return object
    }

    private func attach(_ stream: HTTPStream, _ handle: ConnectionHandle) -> Bool {
        let peer = StreamPeer(connection: handle.pointer, socket: handle.socket)
        guard stream.attach(peer, defaultLimit: core.configuration.streamBufferLimit) else { return false }
        let isDraining = state.withLock { state in
            state.attach(stream)
            return state.isDraining
        }
        core.monitor.watch(peer.socket, id: id)
        // Whoever comes second, this or the shutdown, sees the other.
        if isDraining {
            stream.finish(.serverShutdown)
        }
        return true
    }

    // MARK: What a request asks for during the handler's call

    /// See ``HTTPRequest/header(_:)``; nil outside the handler's call.
    func header(_ name: String) -> String? {
        handle?.header(name)
    }

    /// See ``HTTPRequest/headers``; empty outside the handler's call.
    var headers: [HTTPHeader] {
        handle?.headers ?? []
    }

    /// See ``HTTPRequest/remoteAddress``.
    var remoteAddress: String {
        if knownRemoteAddress == nil {
            knownRemoteAddress = handle?.remoteAddress
        }
        return knownRemoteAddress ?? ""
    }

    // MARK: Shutdown, from any thread

    /// No more requests after the current one; a stream ends.
    func drain() {
        let stream = state.withLock { state in
            state.drain()
            return state.stream
        }
        stream?.finish(.serverShutdown)
    }

    /// Cuts a stream that would not end.
    func cutStream() {
        let stream = state.withLock { $0.stream }
        stream?.abort(.serverShutdown)
    }
}
