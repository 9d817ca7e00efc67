import CMicroHTTPD

/// What a server needs of its process.
enum ProcessLimits {
    /// Raises the soft limit of open file descriptors to the hard one.
    ///
    /// - Returns: the limit now in force.
    static func raiseFileDescriptorLimit() -> Int {
        Int(clamping: flagstaff_raise_descriptor_limit())
    }

    /// Ignores SIGPIPE, which would end the process when a client goes away while being written to.
    ///
    /// A handler that the program has installed stays.
    static func ignoreBrokenPipes() {
        flagstaff_ignore_broken_pipes()
    }
}
