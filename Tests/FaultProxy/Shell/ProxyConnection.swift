#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One connection of a client through a proxy, and the one to the service that belongs to it.
///
/// Belongs to the proxy's thread.
final class ProxyConnection {
    /// The number of the connection, counted from 0.
    let number: Int
    private(set) var client: Int32?
    private(set) var service: Int32?
    private var plan: FaultPlan
    private let connect: () -> Int32?
    /// What is to be done in order.
    private var steps: [FaultStep] = []
    private var wakeUp: Double?
    private var gate: String?
    private var openGates: Set<String>
    private var toClient: [UInt8] = []
    private var toService: [UInt8] = []
    private var ending: Fault.Ending?
    /// When the wait for the client's own end is over.
    private var lingersUntil: Double?

    /// How many bytes reached the client and the service.
    private(set) var sentToClient = 0
    private(set) var sentToService = 0
    private var lastPath = ""
    /// The exchanges that began since they were last taken.
    private var noted: [ProxiedRequest] = []

    /// How much may wait before the service has to.
    private static let limit = 1 << 20

    init(
        number: Int, client: Int32, fault: Fault?, openGates: Set<String>, connect: @escaping () -> Int32?
    ) {
        self.number = number
        self.client = client
        self.openGates = openGates
        self.connect = connect
        plan = FaultPlan(fault)
        perform(plan.opened())
    }

    /// Whether there is nothing left to do.
    var isOver: Bool { client == nil }

    /// Whether its last request went to a path with this end.
    func isServing(_ path: String) -> Bool { lastPath.hasSuffix(path) }

    /// What to wait for at the client's socket.
    var clientEvents: Int16 { Int16(POLLIN) | (toClient.isEmpty ? 0 : Int16(POLLOUT)) }

    /// What to wait for at the service's socket.
    var serviceEvents: Int16 {
        (toClient.count + steps.count < Self.limit ? Int16(POLLIN) : 0)
            | (toService.isEmpty ? 0 : Int16(POLLOUT))
    }

    /// When there is something to do without an event, in seconds of the loop's clock.
    var nextWakeUp: Double? { lingersUntil ?? wakeUp }

    /// Returns the exchanges that began since the last call.
    func takeNoted() -> [ProxiedRequest] {
        defer { noted = [] }
        return noted
    }

    /// The client's socket is ready.
    func clientIsReady(_ events: Int16, at now: Double, _ script: inout FaultScript) {
        guard let client else { return }
        if events & Int16(POLLOUT) != 0 { flush() }
        guard events & ~Int16(POLLOUT) != 0 else { return }
        switch LoopbackSocket.read(client) {
        case .nothing: break
        case .ended: close(.finish)
        case .bytes(let bytes):
            if ending == nil { perform(plan.receivedFromClient(bytes, &script)) }
            advance(at: now)
        }
    }

    /// The service's socket is ready.
    func serviceIsReady(_ events: Int16, at now: Double) {
        guard let service else { return }
        defer { advance(at: now) }
        if events & Int16(POLLOUT) != 0 { flushToService() }
        guard events & ~Int16(POLLOUT) != 0, self.service != nil else { return }
        switch LoopbackSocket.read(service) {
        case .nothing: break
        case .ended(let ending):
            closeService()
            perform(plan.serviceEnded(ending))
        case .bytes(let bytes):
            perform(plan.receivedFromService(bytes))
        }
    }

    /// Does what is due.
    func advance(at now: Double) {
        if let until = lingersUntil, now >= until { return close(.finish) }
        if let wakeUp, now >= wakeUp { self.wakeUp = nil }
        while wakeUp == nil, gate == nil, ending == nil, !steps.isEmpty {
            switch steps.removeFirst() {
            case .toClient(let bytes): toClient += bytes
            case .wait(let seconds): wakeUp = now + seconds
            case .hold(let name): gate = openGates.contains(name) ? nil : name
            case .end(let ending): self.ending = ending
            case .note, .toService: break
            }
        }
        flush()
        if ending == .finish, toClient.isEmpty, lingersUntil == nil, let client {
            // Closing a socket with unread bytes resets it, so the client is given the time to go first.
            LoopbackSocket.finish(client)
            closeService()
            lingersUntil = now + 1
        } else if ending == .reset, toClient.isEmpty {
            close(.reset)
        }
    }

    /// Lets what a gate holds back go on, also what comes to it later.
    func release(_ name: String) {
        openGates.insert(name)
        if gate == name { gate = nil }
    }

    /// Lets everything go on that is held back or waits.
    func releaseAll() {
        plan.lift()
        gate = nil
        wakeUp = nil
        steps.removeAll { step in
            switch step {
            case .wait, .hold: true
            case .toClient, .end, .note, .toService: false
            }
        }
    }

    /// Ends it as if a fault had; what is held back is lost.
    func cut(_ ending: Fault.Ending, at now: Double) {
        steps = []
        toClient = []
        wakeUp = nil
        gate = nil
        self.ending = self.ending ?? ending
        advance(at: now)
    }

    /// Closes both sockets.
    func close(_ ending: Fault.Ending) {
        closeService()
        if let client { LoopbackSocket.end(client, ending) }
        client = nil
        steps = []
        lingersUntil = nil
        wakeUp = nil
    }

    private func closeService() {
        if let service { LoopbackSocket.end(service) }
        service = nil
        toService = []
    }

    private func perform(_ new: [FaultStep]) {
        for step in new {
            switch step {
            case .note(let request):
                noted.append(request)
                lastPath = String(request.path)
            case .toService(let bytes): send(bytes)
            case .toClient, .wait, .hold, .end: steps.append(step)
            }
        }
    }

    private func send(_ bytes: [UInt8]) {
        if service == nil { service = connect() }
        guard service != nil else { return steps.append(.end(.reset)) }
        toService += bytes
        flushToService()
    }

    private func flushToService() {
        guard let service, !toService.isEmpty else { return }
        guard let count = LoopbackSocket.write(service, toService[...]) else {
            closeService()
            return perform(plan.serviceEnded(.reset))
        }
        sentToService += count
        toService.removeFirst(count)
    }

    private func flush() {
        guard let client, !toClient.isEmpty else { return }
        guard let count = LoopbackSocket.write(client, toClient[...]) else { return close(.finish) }
        sentToClient += count
        toClient.removeFirst(count)
    }
}
