import FlagLocking
import Foundation

/// A scripted HTTP server on a free port of the loopback address, for transports that need a network.
///
/// Each connection carries one request at a time, so scripts may block. Nothing but a conformance suite makes one.
final class LoopbackServer: ConformanceServer {
    let url: URL
    let unreachableURL: URL
    private let listener: LoopbackListener
    private let scripts: Lock<[String: ConformanceScript]>

    /// Starts a server.
    ///
    /// - Throws: A `POSIXError` when the system gives no port.
    init() throws {
        let scripts = Lock<[String: ConformanceScript]>([:])
        self.scripts = scripts
        let unused = try LoopbackListener.unusedPort()
        listener = try LoopbackListener { socket in
            let connection = LoopbackConnection(socket)
            while let request = socket.readRequest() {
                let path = request.target.split(separator: "?").first.map(String.init) ?? ""
                if let script = scripts.withLock({ $0[path] }) {
                    script(request, connection)
                } else {
                    connection.answer(404)
                }
            }
        }
        url = Self.url(port: listener.port)
        unreachableURL = Self.url(port: unused)
    }

    func answer(_ path: String, with script: @escaping ConformanceScript) {
        scripts.withLock { $0[path] = script }
    }

    func stop() {
        listener.stop()
    }

    private static func url(port: Int) -> URL {
        var components = URLComponents()
        components.scheme = "http"
        components.host = "127.0.0.1"
        components.port = port
        guard let url = components.url else { preconditionFailure("a valid address") }
        return url
    }
}
