import FlagLocking
import FlagstaffTesting

/// A bare HTTP server on a free port of the loopback address that does exactly what a test scripts, also what
/// no proper server would do.
///
/// Each connection has a thread of its own, so scripts may block.
final class LoopbackServer: Sendable {
    typealias Request = ConformanceRequest
    typealias Script = @Sendable (Request, LoopbackSocket) -> Void

    private let listener: LoopbackListener
    private let arrived: Lock<[Request]>

    /// Starts a server.
    ///
    /// - Parameter script: Called for each request; afterwards the connection waits for the next, unless the script
    ///   closed it.
    /// - Throws: A `POSIXError` when there is no free port.
    init(_ script: @escaping Script) throws {
        let arrived = Lock<[Request]>([])
        self.arrived = arrived
        listener = try LoopbackListener { socket in
            while let request = socket.readRequest() {
                arrived.withLock { $0.append(request) }
                script(request, socket)
            }
        }
    }

    /// The address to reach it at.
    var url: String { "http://127.0.0.1:\(listener.port)" }

    /// The requests so far.
    var requests: [Request] { arrived.withLock { $0 } }

    /// Closes everything.
    func stop() {
        listener.stop()
    }
}

extension LoopbackSocket {
    /// Sends text as it is; `false` when the other side is gone.
    @discardableResult
    func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    /// Sends a whole answer with its length.
    func answer(_ status: Int, _ headers: [String: String] = [:], _ body: String = "") {
        var head = "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.utf8.count)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        send(head + "\r\n" + body)
    }

    /// Sends the head of an event stream.
    func startStream() {
        send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n\r\n")
    }
}
