extension HTTPServer {
    /// How a server listens and what it accepts.
    ///
    /// Times are in seconds, sizes in bytes.
    package struct Configuration: Sendable {
        /// The address to listen on: numeric IPv4 or IPv6, or `localhost`.
        ///
        /// Default: `127.0.0.1`. `0.0.0.0` is every IPv4 address, `::` every address of both kinds.
        package var host = "127.0.0.1"
        /// The TCP port, 0 for any free one.
        ///
        /// Default: 0.
        package var port: UInt16 = 0
        /// Threads that serve connections, at least 1.
        ///
        /// Default: the active cores.
        package var workerThreads = Configuration.activeCores
        /// The largest request body; a larger one is answered 413.
        ///
        /// Default: 1,000,000.
        package var maxBodyBytes = 1_000_000
        /// The largest request head: request line and header fields.
        ///
        /// A larger one is answered 431. Default: 8,192. An open connection holds about twice as much and 4 KiB;
        /// one that sends a stream gives nearly all of it back while the stream is idle.
        package var maxHeaderBytes = 8192
        /// Connections at the same time, streams included; another one is answered 503.
        ///
        /// Default: 10,000. Lowered when the process may not open that many files.
        package var maxConnections = 10_000
        /// Connections at the same time from one address; another one is closed at once.
        ///
        /// Default: nil, no limit.
        package var maxConnectionsPerAddress: Int?
        /// How long a connection may be idle between two requests, and how long a client may take nothing of
        /// a response that is being sent.
        ///
        /// Not for streams that have nothing to send. Default: 75.
        package var idleTimeout = 75.0
        /// How long a request may take to arrive, head and body.
        ///
        /// Counted from its connection's opening, for later requests from their first line; that line itself may
        /// take the idle timeout longer. A slower one is answered 408 (over TLS it is not answered) and its
        /// connection is closed. Default: 15.
        package var requestTimeout = 15.0
        /// Bytes that may wait for one stream's client before it is dropped as too slow.
        ///
        /// Default: 1,048,576.
        package var streamBufferLimit = 1_048_576
        /// Certificate and key for HTTPS.
        ///
        /// Default: nil, plain HTTP.
        package var tls: TLS?
        /// How long a shutdown waits for running requests and streams to end.
        ///
        /// Default: 10.
        package var shutdownGrace = 10.0

        /// The default configuration.
        package init() {}
    }

    /// Where the files for HTTPS are; both are read once, at the start.
    package struct TLS: Sendable {
        /// Path of a PEM file with the certificate, followed by the intermediate ones if there are any.
        package var certificatePath: String
        /// Path of a PEM file with the certificate's private key, not encrypted.
        package var privateKeyPath: String

        /// Names the two files.
        package init(certificatePath: String, privateKeyPath: String) {
            self.certificatePath = certificatePath
            self.privateKeyPath = privateKeyPath
        }
    }
}
