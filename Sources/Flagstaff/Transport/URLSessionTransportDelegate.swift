import Dispatch
import FlagLocking
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The receiving half of ``URLSessionTransport``: a table of what is under way, fed by the session.
///
/// The session calls it on one serial queue, so a handler is never called twice at a time. The session keeps it
/// alive; it holds nothing but the table, so client, transport and session form no cycle.
final class URLSessionTransportDelegate: NSObject, URLSessionDataDelegate {
    /// What to do with an answer.
    enum Handler: Sendable {
        /// Hand it over as a whole.
        case collect(CollectedAnswer, @Sendable (Result<FlagTransportResponse, FlagTransportError>) -> Void)
        /// Hand it over as it arrives.
        case deliver(@Sendable (FlagTransportSignal) -> Void)

        /// Reports the end.
        func finish(_ error: FlagTransportError?) {
            switch self {
            case .collect(let answer, let completion): completion(answer.result(error))
            case .deliver(let receive): receive(.ended(error))
            }
        }
    }

    private struct Entry: Sendable {
        let id: Int
        let task: URLSessionDataTask
        var handler: Handler
        var isCancelled = false
        /// Whether the answer is a redirect that is not followed, with which the task is about to end by itself.
        var isEnding = false
    }

    private struct Table: Sendable {
        var entries: [Int: Entry] = [:]
        var taskIdentifiers: [Int: Int] = [:]
        var isClosed = false
    }

    private let table = Lock(Table())
    /// Where tasks are cut: on Linux that waits for what the session has still to do, which nobody here may.
    private let cutting = DispatchQueue(label: "flagstaff.cutting")

    // MARK: From the transport

    /// Starts a task, unless the transport is closed.
    func start(_ request: URLRequest, id: Int, _ handler: Handler, session: URLSession) {
        // The task is made inside the lock, because making one on a session that was invalidated meanwhile crashes.
        let task: URLSessionDataTask? = table.withLock { table in
            if table.isClosed { return nil }
            let task = session.dataTask(with: request)
            table.entries[task.taskIdentifier] = Entry(id: id, task: task, handler: handler)
            table.taskIdentifiers[id] = task.taskIdentifier
            return task
        }
        guard let task else {
            return handler.finish(FlagTransportError(kind: .cancelled, message: "the client is closed"))
        }
        task.resume()
    }

    /// Cuts a task; its handler hears of it from the session.
    func cancel(_ id: Int) {
        let task: URLSessionDataTask? = table.withLock { table in
            guard let identifier = table.taskIdentifiers[id] else { return nil }
            table.entries[identifier]?.isCancelled = true
            return table.entries[identifier].flatMap(Self.cuttable)
        }
        if let task { cut([task]) }
    }

    /// Cuts everything, refuses what comes later, and ends the session.
    func closeAll(_ session: URLSession) {
        let tasks: [URLSessionDataTask]? = table.withLock { table in
            if table.isClosed { return nil }
            table.isClosed = true
            for identifier in table.entries.keys { table.entries[identifier]?.isCancelled = true }
            return table.entries.values.compactMap(Self.cuttable)
        }
        guard let tasks else { return }
        cut(tasks)
        cutting.async { session.finishTasksAndInvalidate() }
    }

    private func cut(_ tasks: [URLSessionDataTask]) {
        cutting.async { for task in tasks { task.cancel() } }
    }

    // MARK: From the session

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        // What is not wanted is cancelled as a task: Linux passes over the disposition.
        defer { completionHandler(.allow) }
        guard let head = (response as? HTTPURLResponse).map(FlagTransportHead.init) else { return }
        update(dataTask) { handler in
            switch handler {
            case .collect(var answer, let completion):
                let isWithinLimit = answer.begin(head, announcing: response.expectedContentLength)
                handler = .collect(answer, completion)
                return isWithinLimit ? nil : { self.cut([dataTask]) }
            case .deliver(let receive):
                return { receive(.head(head)) }
            }
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        update(dataTask) { handler in
            switch handler {
            case .collect(var answer, let completion):
                // Emptied first, so that the bytes are appended in place.
                handler = .collect(CollectedAnswer(limit: 0), completion)
                let isWithinLimit = answer.append(data)
                handler = .collect(answer, completion)
                return isWithinLimit ? nil : { self.cut([dataTask]) }
            case .deliver(let receive):
                return { receive(.bytes(Array(data))) }
            }
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let entry: Entry? = table.withLock { table in
            guard let entry = table.entries.removeValue(forKey: task.taskIdentifier) else { return nil }
            table.taskIdentifiers[entry.id] = nil
            return entry
        }
        guard let entry else { return }
        if entry.isCancelled {
            entry.handler.finish(FlagTransportError(kind: .cancelled, message: "the request was cut"))
        } else {
            entry.handler.finish(error.map(FlagTransportError.init))
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // Elsewhere would get the key and the context, so a redirect is left to fail with its status.
        #if canImport(FoundationNetworking)
            let isCancelled = table.withLock { table in
                table.entries[task.taskIdentifier]?.isEnding = true
                return table.entries[task.taskIdentifier]?.isCancelled ?? true
            }
            if isCancelled { return }
        #endif
        completionHandler(nil)
    }

    /// The task, if it can be cut.
    ///
    /// Foundation on Linux (6.3) ends the process when a task is cut between the question whether to follow a redirect
    /// and the answer ("Received callback for HTTP redirection, but we're not waiting for it"). So a task that was cut
    /// gets no answer, and one that has its answer is not cut: both end without it.
    private static func cuttable(_ entry: Entry) -> URLSessionDataTask? {
        entry.isEnding ? nil : entry.task
    }

    /// Changes a task's handler inside the lock, then runs what that gives outside of it.
    private func update(_ task: URLSessionTask, _ change: (inout Handler) -> (() -> Void)?) {
        let call: (() -> Void)? = table.withLock { table in
            guard var entry = table.entries.removeValue(forKey: task.taskIdentifier) else { return nil }
            defer { table.entries[task.taskIdentifier] = entry }
            return entry.isCancelled ? nil : change(&entry.handler)
        }
        call?()
    }
}

/// The answer to a request, growing up to a limit.
struct CollectedAnswer: Sendable {
    let limit: Int
    private var head: FlagTransportHead?
    private var body: [UInt8] = []
    private var isTooLarge = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes the head; `false` when it announces too many bytes, which are then not waited for.
    mutating func begin(_ head: FlagTransportHead, announcing length: Int64) -> Bool {
        self.head = head
        isTooLarge = length > Int64(limit)
        return !isTooLarge
    }

    /// Adds bytes; `false` when they are too many, once: what comes then is dropped.
    mutating func append(_ data: Data) -> Bool {
        if isTooLarge { return true }
        if body.count + data.count > limit {
            isTooLarge = true
            body = []
            return false
        }
        data.withUnsafeBytes { body.append(contentsOf: $0) }
        return true
    }

    /// What the request came to.
    func result(_ error: FlagTransportError?) -> Result<FlagTransportResponse, FlagTransportError> {
        if isTooLarge {
            return .failure(
                FlagTransportError(kind: .tooLarge, message: "the answer is larger than \(limit) bytes"))
        }
        if let error { return .failure(error) }
        guard let head else {
            return .failure(
                FlagTransportError(
                    kind: .network, message: "the service ended the connection without an answer"))
        }
        return .success(FlagTransportResponse(head: head, body: body))
    }
}

extension FlagTransportHead {
    fileprivate init(_ response: HTTPURLResponse) {
        let headers = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { ($0, "\(value)") }
        }
        self.init(
            status: response.statusCode, headers: Dictionary(headers, uniquingKeysWith: { _, last in last }))
    }
}

extension FlagTransportError {
    /// The session's error without addresses, which can hold secrets.
    fileprivate init(_ error: any Error) {
        let code = (error as? URLError)?.code
        let isTimeout = code == .timedOut
        self.init(
            kind: isTimeout ? .timedOut : .network,
            message: isTimeout
                ? "the service did not answer in time"
                : "the service cannot be reached or the connection broke (\(code.map { "URLError \($0.rawValue)" } ?? "\(type(of: error))"))"
        )
    }
}
