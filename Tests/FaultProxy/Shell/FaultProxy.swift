import FlagLocking
import Foundation

/// A TCP proxy on a free port of the loopback address that breaks connections as a script says.
///
/// It passes HTTP/1.1 on to a service on another port. All sockets belong to one thread of its own, which ends with
/// ``stop()``. Safe to use from any thread; nothing blocks.
package final class FaultProxy: Sendable {
    /// The port to connect to, the same for the proxy's life.
    package let port: UInt16
    private let state: Lock<ProxyState>
    private let bell: Int32

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - servicePort: The port of the service behind it, on the loopback address.
    ///   - rules: What goes wrong; default nothing.
    /// - Throws: When the system has no port or thread left.
    package init(servicePort: UInt16, rules: [FaultRule] = []) throws {
        let reservation = try LoopbackSocket.reserve(port: 0)
        port = LoopbackSocket.port(of: reservation)
        let listener = try LoopbackSocket.listen(port: port)
        let (wakeUp, bell) = try LoopbackSocket.makePair()
        self.bell = bell
        let state = Lock(ProxyState(servicePort: servicePort, script: FaultScript(rules)))
        self.state = state
        let port = port
        let thread = Thread {
            ProxyLoop(
                state: state, port: port, wakeUp: wakeUp, reservation: reservation, listener: listener
            ).run()
        }
        thread.name = "fault proxy"
        thread.start()
    }

    deinit {
        tell(.stop, nil)
        LoopbackSocket.end(bell)
    }

    /// The address to reach it at.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// What it has seen so far.
    package var counts: ProxyCounts { state.withLock { $0.counts } }

    /// The requests so far, in the order of their arrival.
    package var records: [ProxyRecord] { state.withLock { $0.records } }

    // MARK: The script

    /// Replaces the script for connections and exchanges that begin from now on.
    package func setRules(_ rules: [FaultRule]) {
        state.withLock { $0.script = FaultScript(rules) }
    }

    /// Sends connections that begin from now on to another port.
    package func setServicePort(_ port: UInt16) {
        state.withLock { $0.servicePort = port }
    }

    /// Ends all faults: no more rules, and what is held back or waits goes on.
    ///
    /// Bytes that were corrupted or dropped, and connections that were ignored, stay so.
    package func lift() async {
        setRules([])
        await perform(.openPort)
        await perform(.releaseAll)
    }

    // MARK: At once

    /// Refuses connections from now on, until ``openPort()`` or ``lift()``; open ones go on.
    package func closePort() async { await perform(.closePort) }

    /// Accepts connections again.
    package func openPort() async { await perform(.openPort) }

    /// Ends the connections that are open.
    ///
    /// - Parameters:
    ///   - ending: How they end.
    ///   - path: Only those whose last request went to a path with this end; `nil` for all.
    package func cutConnections(_ ending: Fault.Ending, path: String? = nil) async {
        await perform(.cut(ending, path: path))
    }

    /// Opens a gate for good: what a ``Fault/hold(at:gate:)`` with that name holds back, now or later, goes on.
    package func release(_ gate: String) async { await perform(.release(gate)) }

    /// Closes everything and ends the thread.
    package func stop() async { await perform(.stop) }

    // MARK: Waiting

    /// Waits until the counts are as the condition asks for, or the proxy has stopped.
    ///
    /// The condition looks at its argument only; it runs inside the proxy's lock.
    package func wait(until isMet: @escaping @Sendable (ProxyCounts) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.isStopped || isMet(state.counts) { return true }
                state.waiters.append(ProxyState.Waiter(isMet: isMet, continuation: continuation))
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private func perform(_ command: ProxyState.Command) async {
        await withCheckedContinuation { tell(command, $0) }
    }

    private func tell(_ command: ProxyState.Command, _ done: CheckedContinuation<Void, Never>?) {
        let isOver = state.withLock { state in
            if state.isStopped { return true }
            state.orders.append(ProxyState.Order(command: command, done: done))
            return false
        }
        if isOver { done?.resume() } else { LoopbackSocket.ring(bell) }
    }
}
