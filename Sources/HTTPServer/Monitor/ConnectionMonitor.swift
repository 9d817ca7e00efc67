import FlagLocking
#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// One thread per server that does what the library does not.
///
/// It cuts requests that take too long to arrive, closes streams whose client has left, and sees off clients that
/// were answered early. All methods may be called from any thread.
final class ConnectionMonitor: Sendable {
    private struct Inbox {
        var lingering: [Int32] = []
        var isStopping = false
    }

    private let watch = DepartureWatch()
    private let inbox = Lock(Inbox())
    private let wakeReader: Int32
    private let wakeWriter: Int32
    private let thread = Lock<SystemThread?>(nil)

    /// A monitor that does nothing until it is started.
    ///
    /// - Throws: ``HTTPServerError`` when the process has no descriptor left.
    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw HTTPServerError(.system, "Cannot start the server: \(String(cString: strerror(errno))).")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
        }
        wakeReader = ends[0]
        wakeWriter = ends[1]
    }

    deinit {
        watch.end()
        close(wakeReader)
        close(wakeWriter)
    }

    /// Starts the thread.
    ///
    /// - Throws: ``HTTPServerError`` when the system has no thread left.
    func start(_ core: ServerCore) throws {
        let started = try SystemThread { [self] in run(core) }
        thread.withLock { $0 = started }
    }

    /// Ends the thread and waits for it.
    func stop() {
        inbox.withLock { $0.isStopping = true }
        wake()
        let started = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        started?.join()
    }

    /// Watches the client of a stream.
    func watch(_ socket: Int32, id: UInt64) {
        watch.add(socket, id: id)
    }

    /// Stops watching the client of a stream, whose socket must still be open.
    func unwatch(_ socket: Int32) {
        watch.remove(socket)
    }

    /// Keeps a connection from being reset while its client still sends what nobody will read.
    ///
    /// - Parameter socket: the connection's socket; it is duplicated.
    func linger(_ socket: Int32) {
        let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return }
        inbox.withLock { $0.lingering.append(copy) }
        wake()
    }

    private func wake() {
        var byte: UInt8 = 1
        _ = write(wakeWriter, &byte, 1)
    }

    // MARK: The thread

    private func run(_ core: ServerCore) {
        var lingering = LingeringSockets()
        let interval = Self.interval(core.configuration)
        var nextSweep = MonotonicClock.now + interval
        defer { lingering.closeAll() }
        while true {
            wait(for: lingering.sockets, timeout: max(0, nextSweep - MonotonicClock.now))
            let now = MonotonicClock.now
            let inbox = takeInbox()
            inbox.lingering.forEach { lingering.add($0, now: now) }
            if inbox.isStopping { return }
            lingering.service(now: now)
            for id in watch.departed() {
                core.connection(id)?.clientLeft()
            }
            if now >= nextSweep {
                core.expireRequests(now: now)
                nextSweep = now + interval
            }
        }
    }

    private func takeInbox() -> Inbox {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(wakeReader, &bytes, bytes.count) == bytes.count {}
        return inbox.withLock { inbox in
            defer { inbox.lingering = [] }
            return inbox
        }
    }

    private func wait(for sockets: [Int32], timeout: Int64) {
        // A negative descriptor is skipped.
        var list = ([wakeReader, watch.descriptor] + sockets).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        _ = poll(&list, nfds_t(list.count), Int32(clamping: timeout))
    }

    /// How often requests are looked at: often enough for the timeout to be kept within an eighth.
    private static func interval(_ configuration: HTTPServer.Configuration) -> Int64 {
        min(250, max(10, Int64(configuration.requestTimeout * 1000 / 8)))
    }
}
