/// What can be chosen when a client is made.
public struct ConfigDirectorClientOptions: Sendable {
    /// The app's name and version, for targeting rules and reports.
    ///
    /// What is `nil` in it, and all where it is `nil` itself, is read from the app's bundle. Default `nil`.
    public var metadata: ConfigDirectorMetaContext?
    /// How the client connects.
    public var connection: ConnectionOptions
    /// Where the client says what it does.
    ///
    /// Default: a ``ConsoleLogger`` for warnings and errors.
    public var logger: any ConfigDirectorLogger

    /// Makes options.
    ///
    /// - Parameters:
    ///   - metadata: The app's name and version.
    ///   - connection: How the client connects.
    ///   - logger: Where the client says what it does.
    public init(
        metadata: ConfigDirectorMetaContext? = nil, connection: ConnectionOptions = ConnectionOptions(),
        logger: any ConfigDirectorLogger = ConsoleLogger()
    ) {
        self.metadata = metadata
        self.connection = connection
        self.logger = logger
    }
}
