import FlagLocking
package import Flagstaff
public import Foundation

/// Feature flags for the user of the app: one client for the app, which the app keeps.
///
/// ```swift
/// let flags = AbrovaFlags(config: AbrovaFlagsConfig(apiKey: "ab_live_xxx", environment: "production"))
/// flags.start()
/// if flags.isEnabled("new-checkout") { … }
/// ```
///
/// All calls can be made from any thread. Reads come from memory; they never wait and never throw. Making a client sends
/// nothing. ``close()``, or letting go of the client, ends its work.
public final class AbrovaFlags: Sendable {
    struct State: Sendable {
        /// Who uses the app; `nil` until somebody asks, because it has to be read from the device.
        var identity: Identity?
        var isStarted = false
        var isClosed = false
    }

    let client: FlagClient
    let memory: IdentityMemory
    let listeners = Listeners()
    let logger: any FlagLogger
    /// How long a refresh is waited for: a request that is under way, and the one that follows it.
    let refreshLimit: TimeInterval
    /// Held while the client and the memory are told of a change.
    ///
    /// Two changes from two threads must reach them in one order. All they do at once is to take note; nothing of theirs
    /// calls back here.
    let state = Lock(State())

    /// Makes a client; nothing is sent before ``start()``.
    ///
    /// - Parameter config: What to ask for and how to behave. What cannot work, such as a key with a line break, is left out
    ///   and logged as an error.
    public convenience init(config: AbrovaFlagsConfig) {
        let logger = config.logLevel.logger
        let storage = UserDefaultsStorage.standard
        self.init(
            config: config, client: config.makeClient(logger: logger, storage: storage),
            memory: IdentityMemory(config, storage: storage, logger: logger), logger: logger)
    }

    /// Makes a client over a native one, which nobody else may use.
    ///
    /// - Parameters:
    ///   - config: What was applied to the native client.
    ///   - client: The native client.
    package convenience init(config: AbrovaFlagsConfig, client: FlagClient) {
        let logger = config.logLevel.logger
        self.init(
            config: config, client: client,
            memory: IdentityMemory(config, storage: UserDefaultsStorage.standard, logger: logger),
            logger: logger)
    }

    /// Makes a client over a native one.
    init(config: AbrovaFlagsConfig, client: FlagClient, memory: IdentityMemory, logger: any FlagLogger) {
        self.client = client
        self.memory = memory
        self.logger = logger
        refreshLimit = 2 * max(config.requestTimeoutSeconds, 0.1) + 2
    }

    // MARK: Life

    /// Serves the values that the device has, and fetches new ones in the background; returns at once.
    ///
    /// The request carries the user and attributes that were set before, or remembered from an earlier run. Calling it
    /// again, or after ``close()``, does nothing.
    public func start() {
        memory.load()
        state.withLock { state in
            if state.isStarted || state.isClosed { return }
            state.isStarted = true
            client.startInBackground(context: context(of: identity(&state)))
        }
    }

    /// Waits for the first values, from the device or from the network, for example on a launch screen.
    ///
    /// - Parameter timeout: How long to wait at most, in seconds.
    /// - Returns: Whether there are values; `false` when the time ran out, and at once when the service refuses the client
    ///   or it is closed.
    public func waitUntilReady(timeout: TimeInterval) async -> Bool {
        await client.waitUntilReady(timeout: timeout)
    }

    /// Whether there are values of the user: without, reads give the code's defaults.
    public var isReady: Bool { client.status.isReady }

    /// Ends all network work for good; the values on the device stay, and reads go on giving them.
    ///
    /// Calling it again does nothing.
    public func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        // Cuts what is under way at once; the rest takes a moment.
        client.pause()
        Task.detached { [client, listeners] in
            await client.close()
            listeners.removeAll()
        }
    }

    /// Who uses the app; to be called with what is remembered loaded.
    func identity(_ state: inout State) -> Identity {
        let identity = state.identity ?? memory.identity
        state.identity = identity
        return identity
    }

    /// What the service is told of the user.
    func context(of identity: Identity) -> FlagContext {
        identity.context(anonymousID: memory.anonymousID)
    }
}
