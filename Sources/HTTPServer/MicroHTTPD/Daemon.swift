import CMicroHTTPD

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A running daemon of the library: its listening socket and its worker threads.
// @unchecked: `stopAccepting` and `stop` are called by one thread, in this order; the rest never changes.
final class Daemon: @unchecked Sendable {
    let port: UInt16
    private let daemon: OpaquePointer
    private let listener: Int32
    private let core: ServerCore
    private let texts: [UnsafeMutablePointer<CChar>]

    /// Starts listening and serving.
    ///
    /// - Throws: ``HTTPServerError``.
    init(core: ServerCore, tls: TLSMaterial?) throws {
        let configuration = core.configuration
        let socket = try ListeningSocket(host: configuration.host, port: configuration.port)
        let texts = tls.map { [strdup($0.certificate), strdup($0.privateKey)] }?.compactMap { $0 } ?? []
        var options = Self.options(core: core, socket: socket.descriptor, texts: texts)
        let context = Unmanaged.passUnretained(core).toOpaque()
        var flags = MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ITC.rawValue | MHD_USE_ERROR_LOG.rawValue
        #if os(Linux)
            flags |= MHD_USE_EPOLL_INTERNAL_THREAD.rawValue
        #else
            flags |= MHD_USE_AUTO.rawValue | MHD_USE_INTERNAL_POLLING_THREAD.rawValue
        #endif
        if tls != nil {
            flags |= MHD_USE_TLS.rawValue
        }
        guard let daemon = flagstaff_mhd_start(UInt32(flags), microHTTPDRequest, context, &options) else {
            texts.forEach { free($0) }
            socket.close()
            throw Self.startError(isTLS: tls != nil, messages: core.libraryStarted())
        }
        core.libraryStarted().forEach(core.log)
        self.daemon = daemon
        self.core = core
        self.texts = texts
        listener = socket.descriptor
        port = socket.port
    }

    private static func startError(isTLS: Bool, messages: [String]) -> HTTPServerError {
        let details = messages.isEmpty ? "" : " (\(messages.joined(separator: " ")))"
        guard MHD_is_feature_supported(flagstaff_mhd_feature_tls) == flagstaff_mhd_yes || !isTLS else {
            return HTTPServerError(
                .invalidTLS, "Cannot start HTTPS: libmicrohttpd was built without TLS. Install one with TLS.")
        }
        return isTLS
            ? HTTPServerError(
                .invalidTLS,
                "Cannot start HTTPS: certificate and private key are malformed or no pair\(details).")
            : HTTPServerError(
                .system, "Cannot start the server: no memory, threads or file descriptors left\(details).")
    }

    private static func options(
        core: ServerCore, socket: Int32, texts: [UnsafeMutablePointer<CChar>]
    ) -> [MHD_OptionItem] {
        let configuration = core.configuration
        let context = Unmanaged.passUnretained(core).toOpaque()
        func number(_ option: MHD_OPTION, _ value: Int) -> MHD_OptionItem {
            MHD_OptionItem(option: option, value: value, ptr_value: nil)
        }
        func function<Function>(_ option: MHD_OPTION, _ function: Function) -> MHD_OptionItem {
            // The array form takes a function as an integer, its context as a pointer.
            MHD_OptionItem(option: option, value: unsafeBitCast(function, to: Int.self), ptr_value: context)
        }
        let logger: MHD_LogCallback = microHTTPDLog
        let changed: MHD_NotifyConnectionCallback = microHTTPDConnectionChanged
        let completed: MHD_RequestCompletedCallback = microHTTPDRequestCompleted
        let requestLine:
            @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?)
                -> UnsafeMutableRawPointer? = microHTTPDRequestLine
        let unescape:
            @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?)
                -> Int = microHTTPDUnescape

        var options = [
            // First, so that it gets the messages about the others.
            function(flagstaff_mhd_option_logger, logger),
            number(flagstaff_mhd_option_listen_socket, Int(socket)),
            number(
                flagstaff_mhd_option_memory_limit,
                MemoryPool.size(maxHeaderBytes: configuration.maxHeaderBytes)),
            number(flagstaff_mhd_option_memory_increment, MemoryPool.increment),
            number(
                flagstaff_mhd_option_connections,
                ConnectionRoom.libraryLimit(
                    maxConnections: configuration.maxConnections, threads: configuration.workerThreads)),
            // The same on every system: a handler may go deep, and some systems give a thread 512 KiB or less.
            number(flagstaff_mhd_option_stack, 8 << 20),
            number(flagstaff_mhd_option_timeout, max(1, Int(configuration.idleTimeout.rounded(.up)))),
            function(flagstaff_mhd_option_uri_callback, requestLine),
            function(flagstaff_mhd_option_unescape, unescape),
            function(flagstaff_mhd_option_completed, completed),
            function(flagstaff_mhd_option_connection, changed),
        ]
        if configuration.workerThreads > 1 {
            options.append(number(flagstaff_mhd_option_threads, configuration.workerThreads))
        }
        if let limit = configuration.maxConnectionsPerAddress {
            options.append(number(flagstaff_mhd_option_connections_per_address, limit))
        }
        if texts.count == 2 {
            options.append(
                MHD_OptionItem(option: flagstaff_mhd_option_certificate, value: 0, ptr_value: texts[0]))
            options.append(MHD_OptionItem(option: flagstaff_mhd_option_key, value: 0, ptr_value: texts[1]))
        }
        options.append(number(flagstaff_mhd_option_end, 0))
        return options
    }

    /// Refuses new connections from now on; the open ones go on.
    ///
    /// The library's own way to do this aborts the process when a worker thread happens to take the same step at
    /// the same moment. Putting a socket that never has anything to accept in the listener's place closes the
    /// listener, and the workers, who look at it by number, find nothing to do any more.
    func stopAccepting() {
        let silent = socket(AF_INET, flagstaff_socket_datagram, 0)
        guard silent >= 0 else { return }
        dup2(silent, listener)
        _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
        close(silent)
    }

    /// Closes every connection and waits for the threads.
    ///
    /// No stream may be suspended, nor become so.
    func stop() {
        MHD_stop_daemon(daemon)
        texts.forEach { free($0) }
    }
}

/// The memory that the library reserves for a connection.
enum MemoryPool {
    /// What the buffer for reading grows by.
    static let increment = 1024

    /// Room for the largest head, for what its parsing needs, and for the head of the response.
    ///
    /// Heads that do not fit are refused by the library itself, with a page of its own; a little more than
    /// needed leaves most of them to the server. The library clears all of it after each request, so that it
    /// should not be much more.
    static func size(maxHeaderBytes: Int) -> Int {
        max(4096, 2 * maxHeaderBytes + 4096)
    }
}

/// How many connections the library may hold.
enum ConnectionRoom {
    /// Room for connections beyond the configured number, which get to hear why they are refused.
    ///
    /// The library divides the number among its threads, and the threads do not get equal shares.
    static func libraryLimit(maxConnections: Int, threads: Int) -> Int {
        maxConnections + max(64 * threads, maxConnections / 4)
    }
}
