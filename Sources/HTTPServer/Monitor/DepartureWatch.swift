import CMicroHTTPD

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Notices clients that close connections nobody reads from.
///
/// The library does not look at the socket of a suspended connection, so that an idle stream whose client is gone
/// would stay. On Linux the system is asked to tell; elsewhere nothing is watched, and heartbeats find out.
/// All methods may be called from any thread.
struct DepartureWatch: Sendable {
    /// Becomes readable when a client has left; to be polled.
    ///
    /// Negative when nothing can be watched.
    let descriptor = flagstaff_watch_open()

    /// Watches a connection's socket.
    func add(_ socket: Int32, id: UInt64) {
        flagstaff_watch_add(descriptor, socket, id)
    }

    /// Stops watching; the socket must still be open.
    func remove(_ socket: Int32) {
        flagstaff_watch_remove(descriptor, socket)
    }

    /// The connections whose client has left since the last call.
    func departed() -> [UInt64] {
        var found: [UInt64] = []
        var batch = [UInt64](repeating: 0, count: 64)
        while true {
            let count = Int(flagstaff_watch_departed(descriptor, &batch))
            guard count > 0 else { return found }
            found.append(contentsOf: batch[..<count])
        }
    }

    /// Ends the watch; nothing may be called after.
    func end() {
        if descriptor >= 0 {
            close(descriptor)
        }
    }
}
