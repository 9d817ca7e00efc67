import Foundation

/// The service that a transport under test talks to: it does what a script says.
protocol ConformanceServer: Sendable {
    /// Its address.
    var url: URL { get }
    /// An address at which nobody answers.
    var unreachableURL: URL { get }

    /// What to do with requests for a path, on a thread of their own each.
    func answer(_ path: String, with script: @escaping ConformanceScript)

    /// Cuts everything.
    func stop()
}

typealias ConformanceScript = @Sendable (ConformanceRequest, any ConformanceConnection) -> Void

/// A request as it arrived.
package struct ConformanceRequest: Hashable, Sendable {
    /// In capitals.
    package var method: String
    /// The path with its query.
    package var target: String
    /// Names are in lower case.
    package var headers: [String: String]
    /// The bytes after the head.
    package var body: [UInt8]
}

/// Where a script sends its answer.
///
/// All calls block until their bytes are on the way.
protocol ConformanceConnection: Sendable {
    /// Sends a head; the body follows in pieces.
    func start(_ status: Int, _ headers: [String: String])
    /// Sends a piece of the body.
    func send(_ bytes: [UInt8])
    /// Ends the body as it should be.
    func end()
    /// Breaks the connection.
    func cut()
    /// Waits until the other side is gone, or the server stops.
    func waitForEnd()
}

extension ConformanceConnection {
    /// Sends a whole answer.
    func answer(_ status: Int, _ headers: [String: String] = [:], _ body: [UInt8] = []) {
        start(status, headers)
        if !body.isEmpty { send(body) }
        end()
    }
}
