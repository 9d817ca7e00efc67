extension HTTPServer.Configuration {
    // Descriptors for files, databases and the program's own needs.
    private static let reservedDescriptors = 64

    /// The configuration with the number of connections that the process can really open.
    ///
    /// - Throws: ``HTTPServerError`` about the first value that makes no sense.
    func checked(fileDescriptors: Int, log: (String) -> Void) throws -> HTTPServer.Configuration {
        try require(workerThreads >= 1, "workerThreads must be at least 1")
        try require(maxBodyBytes >= 0, "maxBodyBytes must not be negative")
        try require(
            (512...1_048_576).contains(maxHeaderBytes), "maxHeaderBytes must be from 512 to 1,048,576")
        try require(maxConnections >= 1, "maxConnections must be at least 1")
        try require(maxConnectionsPerAddress ?? 1 >= 1, "maxConnectionsPerAddress must be at least 1")
        try require((1...86_400).contains(idleTimeout), "idleTimeout must be from 1 to 86,400 seconds")
        try require(
            (0.01...86_400).contains(requestTimeout), "requestTimeout must be from 0.01 to 86,400 seconds")
        try require(streamBufferLimit >= 0, "streamBufferLimit must not be negative")
        try require((0...86_400).contains(shutdownGrace), "shutdownGrace must be from 0 to 86,400 seconds")
        var result = self
        let possible = max(1, fileDescriptors - Self.reservedDescriptors)
        if maxConnections > possible {
            result.maxConnections = possible
            log(
                "At most \(possible) connections: the process may open \(fileDescriptors) files. Raise that limit for more."
            )
        }
        return result
    }

    private func require(_ condition: Bool, _ message: String) throws {
        if !condition {
            throw HTTPServerError(
                .invalidConfiguration, "The HTTP server's configuration is not valid: \(message).")
        }
    }
}
