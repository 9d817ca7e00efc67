import FlagLocking

/// The body of a response that is written over time, from any thread.
///
/// A handler creates a stream, keeps a reference for whoever writes, and returns it as the body of its response.
/// Bytes written before the response has started wait for it.
///
/// The memory of an array that is written is shared, not copied: write the same array to thousands of streams.
///
/// **Clients that go away.** On Linux a client that closes its connection, or its sending half, is noticed within
/// milliseconds. A client whose machine or network vanishes sends nothing that could be noticed: write a
/// heartbeat now and then. Once it fails to be delivered, the connection is dropped, the stream closes and
/// `write` returns false. On other systems heartbeats are what reveals any client that is gone: the first one
/// provokes the peer's refusal, the second meets it. Send the heartbeats of all streams in one go: waking one
/// connection walks the list of all idle ones, so that waking many at once costs hardly more than waking one.
package final class HTTPStream: Sendable {
    /// Why a stream is over.
    package struct CloseReason: Hashable, Sendable {
        private let code: UInt8

        /// The owner called ``HTTPStream/finish()`` and everything was sent.
        package static let finished = CloseReason(code: 0)
        /// The client went away, or the network lost it.
        package static let clientGone = CloseReason(code: 1)
        /// The client read too slowly: more bytes waited than the limit allows, or none could be sent for the
        /// idle timeout.
        package static let slowReader = CloseReason(code: 2)
        /// The server is shutting down.
        package static let serverShutdown = CloseReason(code: 3)
        /// The stream was never sent: no response carried it, or the response could not be made.
        package static let unused = CloseReason(code: 4)
    }

    private struct State {
        var machine: HTTPStreamState
        var ownLimit: Int?
        var peer: StreamPeer?
        var onClose: (@Sendable (CloseReason) -> Void)?
        var isClosed = false
    }

    private let state: Lock<State>

    /// A stream without a connection yet.
    ///
    /// - Parameters:
    ///   - bufferLimit: how many bytes may wait for a slow client, in place of
    ///     ``HTTPServer/Configuration/streamBufferLimit``; nil takes that one.
    ///   - onClose: see ``onClose(_:)``.
    package init(bufferLimit: Int? = nil, onClose: (@Sendable (CloseReason) -> Void)? = nil) {
        // Until the connection is there nothing is slow: what a handler writes first is its own affair.
        let machine = HTTPStreamState(bufferLimit: bufferLimit ?? .max)
        state = Lock(State(machine: machine, ownLimit: bufferLimit, onClose: onClose))
    }

    deinit {
        notify(.unused)
    }

    /// Sends bytes, in the order of the calls.
    ///
    /// Callable from any thread, never blocks.
    ///
    /// - Returns: false when the stream is over, and with this very call when too many bytes are waiting: the
    ///   client is then dropped as a slow reader. One write is always accepted while nothing waits, however
    ///   large.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            let (accepted, action) = state.machine.write(bytes)
            perform(action, with: state.peer)
            return accepted
        }
    }

    /// Ends the stream once everything that was written is sent.
    ///
    /// Callable from any thread, more than once.
    package func finish() {
        finish(.finished)
    }

    /// Whether writes are accepted.
    package var isOpen: Bool {
        state.withLock { $0.machine.isOpen }
    }

    /// Bytes that wait for the client.
    package var bufferedBytes: Int {
        state.withLock { $0.machine.bufferedBytes }
    }

    /// Sets what is called, exactly once, when the stream is over for whatever reason: at once if it is already.
    ///
    /// The closure runs on any thread and must not block. It replaces one that was set before.
    package func onClose(_ body: @escaping @Sendable (CloseReason) -> Void) {
        let reason = state.withLock { state -> CloseReason? in
            guard state.isClosed else {
                state.onClose = body
                return nil
            }
            return state.machine.closeReason ?? .unused
        }
        if let reason {
            body(reason)
        }
    }

    // MARK: The connection's side

    /// Connects the stream to the response that carries it.
    ///
    /// - Returns: false when another response carries it already.
    func attach(_ peer: StreamPeer, defaultLimit: Int) -> Bool {
        state.withLock { state in
            guard state.machine.attach(bufferLimit: state.ownLimit ?? defaultLimit) else { return false }
            state.peer = peer
            return true
        }
    }

    /// Moves bytes to the connection; suspends the connection when there are none.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPStreamState.ReaderAction {
        state.withLock { state in
            let action = state.machine.read(into: buffer)
            if case .suspend(let isReleasing) = action {
                if isReleasing {
                    ConnectionBuffer.release(buffer)
                }
                // Under the lock, so that no writer can see a connection as suspended that is not so yet: its
                // resume would be lost. The library never calls back while it holds the mutex it takes here.
                state.peer?.suspend()
            }
            return action
        }
    }

    /// Ends the stream for a reason of the server's; what waits is still sent.
    func finish(_ reason: CloseReason) {
        state.withLock { state in
            perform(state.machine.finish(reason), with: state.peer)
        }
    }

    /// Cuts the stream and its connection.
    func abort(_ reason: CloseReason) {
        state.withLock { state in
            perform(state.machine.abort(reason), with: state.peer)
        }
    }

    /// The connection is done with the stream and must not be used any more.
    func detach(_ reason: CloseReason) {
        let final = state.withLock { state in
            state.peer = nil
            return state.machine.detach(reason)
        }
        notify(final)
    }

    // Called with the lock held: the connection and its socket are alive exactly as long as `peer` is set, and
    // `detach` cannot get between the look and the call. Neither call blocks or calls back.
    private func perform(_ action: HTTPStreamState.WriterAction, with peer: StreamPeer?) {
        switch action {
        case .nothing: break
        case .resume: peer?.resume()
        case .disconnect(let isResuming):
            peer?.disconnect()
            if isResuming {
                peer?.resume()
            }
        }
    }

    private func notify(_ reason: CloseReason) {
        let body = state.withLock { state -> (@Sendable (CloseReason) -> Void)? in
            state.isClosed = true
            defer { state.onClose = nil }
            return state.onClose
        }
        body?(reason)
    }
}

extension HTTPStream.CloseReason: CustomStringConvertible {
    /// The reason in words, for logs.
    package var description: String {
        switch self {
        case .finished: "finished"
        case .clientGone: "client gone"
        case .slowReader: "slow reader"
        case .serverShutdown: "server shutdown"
        default: "unused"
        }
    }
}
