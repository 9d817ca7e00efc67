package import Flagstaff

/// Configs and flags for one user context, kept up to date: the object an app holds on to.
///
/// Making a client opens nothing; ``initialize(context:)`` does. Reads come from memory at any time, from any thread.
/// ``close()``, or letting go of the last reference, ends all of its work.
///
/// ```swift
/// let client = try ConfigDirectorClient(clientSDKKey: "YOUR-CLIENT-SDK-KEY")
/// await client.initialize()
/// ```
public final class ConfigDirectorClient: Sendable {
    let flags: FlagClient
    let hub: ClientHub
    let queue = CallQueue()
    let reader: ConfigReader
    let timeout: TimeInterval
    let observer: (any ConnectionObserver)?
    /// What is sent of the app with each context.
    let app: FlagAppInfo
    /// What stands for a user that has no id: for as long as this client lives.
    let clientID = UUID().uuidString.lowercased()
    /// Keeps the hub told of what happens.
    private let token: FlagToken

    /// Makes a client, which connects with ``initialize(context:)``.
    ///
    /// - Parameters:
    ///   - clientSDKKey: The key of an environment.
    ///   - options: What can be chosen. Default: all defaults.
    /// - Throws: ``ConfigDirectorError/missingClientSDKKey`` for a blank key, and
    ///   ``ConfigDirectorError/invalidBaseURL(_:)`` for a base URL that is not absolute: both are programming errors.
    public convenience init(
        clientSDKKey: String, options: ConfigDirectorClientOptions = ConfigDirectorClientOptions()
    ) throws(ConfigDirectorError) {
        let configuration = try FlagClientConfiguration(clientSDKKey: clientSDKKey, options: options)
        let flags: FlagClient
        do {
            flags = try FlagClient(configuration)
        } catch {
            // All else is checked: the address has a query, a user, or a scheme that is not the web's.
            throw .invalidBaseURL(configuration.endpoint)
        }
        self.init(flags, options: options)
    }

    /// Makes a client on a native one that has the options adopted.
    ///
    /// - Parameters:
    ///   - flags: The native client, which nobody else may use.
    ///   - options: The options.
    ///   - observer: Who is told of calls.
    package init(
        _ flags: FlagClient, options: ConfigDirectorClientOptions,
        observer: (any ConnectionObserver)? = nil
    ) {
        let hub = ClientHub(flags, timeout: options.connection.timeout, logger: options.logger)
        self.flags = flags
        self.hub = hub
        self.observer = observer
        timeout = options.connection.timeout
        app = FlagAppInfo(options.metadata)
        reader = ConfigReader(flags: flags, hub: hub, evaluations: EvaluationStreams())
        token = flags.onEvent(on: .immediate) { hub.receive($0) }
    }

    deinit {
        close()
    }

    // MARK: State

    /// The context in effect: the last one whose values came, or whose time limit was up; `nil` for none.
    public var context: ConfigDirectorContext? { hub.standing.context }

    /// Whether the values of the context in effect are here.
    ///
    /// `false` before the first values, while a call of `initialize`, `updateContext` or `resumeNetwork` waits for them,
    /// and while the connection is paused.
    public var isReady: Bool { hub.standing.isReady }

    /// Whether the client waits for its first values: from ``initialize(context:)`` on, over time limits and retries.
    ///
    /// Ends with the first values, with a refusal, and with ``close()``.
    public var isInitializing: Bool {
        let connection = hub.connection
        return connection.isInitializing && !(connection.attempt != nil && hub.standing.isReady)
    }

    // MARK: Sequences

    /// What happens to the client from this access on.
    ///
    /// Each access makes a sequence of its own. A reader that is more than 256 events behind loses the oldest. It ends
    /// when the client is closed.
    public var events: AsyncStream<ClientEvent> { hub.listen() }

    /// The evaluations from this access on: of reads, and of the streams of values.
    ///
    /// Each access makes a sequence of its own. A reader that is more than 256 evaluations behind loses the oldest. It ends
    /// when the client is closed. While somebody listens, reads take longer.
    public var evaluations: AsyncStream<ConfigEvaluation> { reader.evaluations.listen() }
}
