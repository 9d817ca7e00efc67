import CMicroHTTPD

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The connection that sends a stream, as the stream sees it.
///
/// Valid until the stream is detached.
struct StreamPeer {
    let connection: OpaquePointer
    let socket: Int32

    /// Stops asking the stream for bytes.
    ///
    /// Called by the connection's own thread only.
    func suspend() {
        MHD_suspend_connection(connection)
    }

    /// Asks the stream for bytes again.
    ///
    /// Exactly one call for each `suspend`.
    func resume() {
        MHD_resume_connection(connection)
    }

    /// Makes the connection fail, so that its thread closes it: only that thread may close it.
    func disconnect() {
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }
}
