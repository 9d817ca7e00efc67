#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What a server needs of its process.
enum ProcessLimits {
    /// Raises the soft limit of open file descriptors to the hard one.
    ///
    /// - Returns: the limit now in force.
    static func raiseFileDescriptorLimit() -> Int {
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        var wanted = limit
        wanted.rlim_cur = limit.rlim_max
        #if canImport(Darwin)
            // "No limit" is refused here; OPEN_MAX is the most that is accepted.
            wanted.rlim_cur = min(wanted.rlim_cur, rlim_t(OPEN_MAX))
        #endif
        if wanted.rlim_cur > limit.rlim_cur, setrlimit(resource, &wanted) == 0 {
            limit = wanted
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Ignores SIGPIPE, which would end the process when a client goes away while being written to.
    ///
    /// A handler that the program has installed stays.
    static func ignoreBrokenPipes() {
        var action = sigaction()
        guard sigaction(SIGPIPE, nil, &action) == 0 else { return }
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        if handler == nil {
            signal(SIGPIPE, SIG_IGN)
        }
    }
}
