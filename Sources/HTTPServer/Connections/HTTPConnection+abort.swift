import FlagLocking
import CMicroHTTPD

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

// Ending a connection at a moment when the library takes no response: in the middle of a request.
extension HTTPConnection {
    /// Ends a connection whose request has expired.
    ///
    /// Callable from any thread.
    ///
    /// - Parameter status: what to tell the client first, if anything. Over TLS nothing can be told.
    func cut(answeringWith status: HTTPStatus?) {
        let bytes = status.flatMap { core.isSecure ? nil : core.rawErrorResponse($0) }
        state.withLock { state in
            // Under the lock, because the number belongs to this connection only until `closed` is through.
            // Neither call blocks.
            guard state.socket >= 0 else { return }
            if let bytes {
                sendNow(bytes, to: state.socket)
            }
            // Makes the worker thread close the connection: only that thread may.
            _ = shutdown(state.socket, Int32(SHUT_RDWR))
        }
    }

    /// Answers a request that is still arriving, on the worker thread; the connection is to be dropped then.
    ///
    /// - Returns: false over TLS, where it is not possible.
    func answerEarly(_ status: HTTPStatus) -> Bool {
        guard !core.isSecure else { return false }
        let bytes = core.rawErrorResponse(status)
        state.withLock { state in
            state.giveUp()
            sendNow(bytes, to: state.socket)
            core.monitor.linger(state.socket)
        }
        return true
    }

    /// The client has closed its side: a stream that waits would not notice.
    ///
    /// Callable from any thread.
    func clientLeft() {
        let stream = state.withLock { $0.stream }
        stream?.abort(.clientGone)
    }

    // Nothing was sent for this request yet, so that a short answer fits into the socket's buffer.
    private func sendNow(_ bytes: [UInt8], to socket: Int32) {
        _ = flagstaff_send_now(socket, bytes, bytes.count)
    }
}
