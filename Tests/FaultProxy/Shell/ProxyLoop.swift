import FlagLocking
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The proxy's thread: waits for its sockets and times, and does what is due.
final class ProxyLoop {
    private let state: Lock<ProxyState>
    private let port: UInt16
    private let wakeUp: Int32
    private let reservation: Int32
    private var listener: Int32?
    private var connections: [ProxyConnection] = []
    private var accepted = 0
    private var openGates: Set<String> = []
    private var stopping: [ProxyState.Order] = []
    /// What closed connections have carried.
    private var carried = (toClients: 0, toService: 0)

    init(state: Lock<ProxyState>, port: UInt16, wakeUp: Int32, reservation: Int32, listener: Int32) {
        self.state = state
        self.port = port
        self.wakeUp = wakeUp
        self.reservation = reservation
        self.listener = listener
    }

    private var now: Double { ProcessInfo.processInfo.systemUptime }

    /// Runs until it is told to stop; then nothing is open any more.
    func run() {
        while waitForEvents() { report() }
        for connection in connections { connection.close(.finish) }
        connections = []
        closePort()
        LoopbackSocket.end(reservation)
        LoopbackSocket.end(wakeUp)
        report()
        finish()
    }

    /// Refuses further orders, and lets everyone go on who waits.
    private func finish() {
        let (orders, waiters) = state.withLock { state in
            defer { (state.orders, state.waiters, state.isStopped) = ([], [], true) }
            return (stopping + state.orders, state.waiters)
        }
        for order in orders { order.done?.resume() }
        for waiter in waiters { waiter.continuation.resume() }
    }

    /// Waits once and does what is due; `false` when it is to stop.
    private func waitForEvents() -> Bool {
        var polled = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
        // -1 is passed over.
        polled.append(pollfd(fd: listener ?? -1, events: Int16(POLLIN), revents: 0))
        for connection in connections {
            polled.append(pollfd(fd: connection.client ?? -1, events: connection.clientEvents, revents: 0))
            polled.append(pollfd(fd: connection.service ?? -1, events: connection.serviceEvents, revents: 0))
        }
        _ = poll(&polled, nfds_t(polled.count), timeout)
        for (index, connection) in connections.enumerated() {
            handle(connection, client: polled[2 * index + 2].revents, service: polled[2 * index + 3].revents)
        }
        if polled[1].revents != 0 { acceptConnections() }
        if polled[0].revents != 0 {
            LoopbackSocket.drain(wakeUp)
            let orders = state.withLock { state in
                defer { state.orders = [] }
                return state.orders
            }
            for order in orders {
                if follow(order.command) {
                    order.done?.resume()
                } else {
                    // Whoever stops the proxy goes on when everything is closed.
                    stopping.append(order)
                }
            }
        }
        return stopping.isEmpty
    }

    /// Milliseconds until the next thing is due; -1 for none.
    private var timeout: Int32 {
        guard let next = connections.compactMap(\.nextWakeUp).min() else { return -1 }
        return Int32(max(0, ((next - now) * 1000).rounded(.up)))
    }

    private func handle(_ connection: ProxyConnection, client: Int16, service: Int16) {
        if client != 0 {
            state.withLock { connection.clientIsReady(client, at: now, &$0.script) }
        }
        if service != 0 { connection.serviceIsReady(service, at: now) }
        connection.advance(at: now)
        note(connection)
    }

    private func note(_ connection: ProxyConnection) {
        let requests = connection.takeNoted()
        if requests.isEmpty { return }
        let time = now
        state.withLock { state in
            state.counts.requests += requests.count
            for request in requests { state.counts.paths[String(request.path), default: 0] += 1 }
            state.records += requests.map {
                ProxyRecord(time: time, connection: connection.number, request: $0)
            }
        }
    }

    private func acceptConnections() {
        while let listener, let client = LoopbackSocket.acceptNext(listener) {
            let (fault, servicePort) = state.withLock { ($0.script.faultOfConnection(), $0.servicePort) }
            let connection = ProxyConnection(
                number: accepted, client: client, fault: fault, openGates: openGates
            ) {
                LoopbackSocket.beginConnecting(port: servicePort)
            }
            accepted += 1
            connection.advance(at: now)
            connections.append(connection)
        }
    }

    private func follow(_ command: ProxyState.Command) -> Bool {
        switch command {
        case .stop: return false
        case .closePort: closePort()
        case .openPort: if listener == nil { listener = try? LoopbackSocket.listen(port: port) }
        case .cut(let ending, let path):
            for connection in connections where path.map(connection.isServing) ?? true {
                connection.cut(ending, at: now)
            }
        case .release(let gate):
            openGates.insert(gate)
            for connection in connections {
                connection.release(gate)
                connection.advance(at: now)
            }
        case .releaseAll:
            for connection in connections {
                connection.releaseAll()
                connection.advance(at: now)
            }
        }
        return true
    }

    private func closePort() {
        if let listener { LoopbackSocket.end(listener) }
        listener = nil
    }

    /// Forgets what is over, counts, and tells those who wait for that.
    private func report() {
        for connection in connections where connection.isOver {
            carried.toClients += connection.sentToClient
            carried.toService += connection.sentToService
        }
        connections.removeAll(where: \.isOver)
        let met = state.withLock { state in
            state.counts.accepted = accepted
            state.counts.open = connections.count
            state.counts.bytesToClients = connections.reduce(carried.toClients) { $0 + $1.sentToClient }
            state.counts.bytesToService = connections.reduce(carried.toService) { $0 + $1.sentToService }
            return state.takeMet()
        }
        for waiter in met { waiter.continuation.resume() }
    }
}
