/// What a proxy has seen.
package struct ProxyCounts: Hashable, Sendable {
    /// Connections that were accepted.
    package var accepted = 0
    /// Those of them that are open.
    package var open = 0
    /// Requests that arrived whole.
    package var requests = 0
    /// How many of them went to each path, without its query.
    package var paths: [String: Int] = [:]
    /// Bytes that were sent to clients.
    package var bytesToClients = 0
    /// Bytes that were sent to the service.
    package var bytesToService = 0
}

/// A request, with when and where it arrived.
package struct ProxyRecord: Hashable, Sendable {
    /// Seconds since the system's start.
    package var time: Double
    /// The number of the connection, counted from 0.
    package var connection: Int
    /// The request.
    package var request: ProxiedRequest
}

/// What threads tell a proxy's thread, and what it tells them.
struct ProxyState: Sendable {
    enum Command: Sendable {
        case closePort
        case openPort
        case cut(Fault.Ending, path: String?)
        case release(String)
        case releaseAll
        case stop
    }

    struct Order: Sendable {
        let command: Command
        let done: CheckedContinuation<Void, Never>?
    }

    struct Waiter: Sendable {
        let isMet: @Sendable (ProxyCounts) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    var servicePort: UInt16
    var script: FaultScript
    var counts = ProxyCounts()
    var records: [ProxyRecord] = []
    var orders: [Order] = []
    var waiters: [Waiter] = []
    var isStopped = false

    /// Takes out the waiters whose condition is met.
    mutating func takeMet() -> [Waiter] {
        let counts = counts
        let met = waiters.filter { $0.isMet(counts) }
        if !met.isEmpty { waiters.removeAll { $0.isMet(counts) } }
        return met
    }
}
