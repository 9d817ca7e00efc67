public import Foundation

/// Feature flags for one context, kept up to date: the object an app holds on to.
///
/// Making a client opens nothing; ``start(context:timeout:)`` does. Reads (``FlagReader``) come from memory at any
/// time, from any thread: the code's defaults before the first values, the last values while the service is out of
/// reach. Several clients can live side by side, each with its own context. ``close()``, or letting go of the last
/// reference, ends all of its work.
///
/// ```swift
/// let flags = try FlagClient(.init(endpoint: url, key: "client-…"))
/// await flags.start(context: FlagContext(key: "user-123", attributes: ["plan": "pro"]))
/// if flags.isEnabled("new-checkout") { … }
/// ```
public final class FlagClient: Sendable {
    package let core: ClientCore
    /// What reads read from: the core's, at hand.
    let reads: ReadTable

    /// Makes a client.
    ///
    /// Nothing is sent before ``start(context:timeout:)``.
    ///
    /// - Parameter configuration: How to reach the service and how to behave.
    /// - Throws: ``FlagClientError`` with the code `invalidConfiguration` for what only a programmer can set right:
    ///   an endpoint that is not absolute or not `http(s)`, a key that is blank, a header that cannot be sent.
    public convenience init(_ configuration: FlagClientConfiguration) throws {
        let service = try ServiceAddress(configuration)
        let time = SystemTime()
        let storage = ClientStorage(configuration, service: service, time: time)
        self.init(
            service: service, configuration: configuration,
            transport: configuration.transport ?? URLSessionTransport(configuration.sessionConfiguration),
            time: time,
            cache: SnapshotCache(
                storage, policy: configuration.cache, flagSets: service.selector.map { [$0] } ?? []),
            reads: nil,
            telemetryQueue: BatchQueue(
                storage, TelemetrySettings(configuration.telemetry, app: configuration.app)))
        core.observeLifecycle()
    }

    /// Makes a client over a transport and a time of its own, for tests.
    package init(
        service: ServiceAddress, configuration: FlagClientConfiguration, transport: any FlagTransport,
        time: any TimeSource, cache: (any SnapshotKeeping)? = nil,
        reads counting: (any ReadCounting)? = UncountedReads(), telemetryQueue: (any TelemetryQueue)? = nil
    ) {
        core = ClientCore(
            service: service, configuration: configuration,
            transport: EndpointTransport.wrapping(transport, service, configuration, time: time), time: time,
            cache: cache, reads: counting, telemetryQueue: telemetryQueue)
        reads = core.reads
    }

    deinit {
        core.close()
    }

    /// Fetches the context's values and keeps them up to date from then on.
    ///
    /// Returns when they are here, when the first attempt failed, or when the time is up, whatever the network does.
    /// In the latter cases the client goes on trying in the background. On a client that runs already this is
    /// ``setContext(_:timeout:)``.
    ///
    /// - Parameters:
    ///   - context: Whom the flags are evaluated for.
    ///   - timeout: How long to wait at most, in seconds. Default 5. 0 does not wait.
    /// - Returns: How it ended.
    @discardableResult
    public func start(context: FlagContext, timeout: TimeInterval = 5) async -> FlagUpdateOutcome {
        await core.change(to: context, timeout: timeout, purpose: .start)
    }

    /// Changes the context and fetches its values.
    ///
    /// What reads give until they arrive is the configuration's ``FlagClientConfiguration/contextSwitch``. Of
    /// overlapping changes the last wins, in whatever order the service answers; the earlier calls return
    /// ``FlagUpdateOutcome/superseded``. Values of one context are never applied to another.
    ///
    /// - Parameters:
    ///   - context: Whom the flags are evaluated for from now on.
    ///   - timeout: How long to wait at most, in seconds. Default 5. 0 does not wait.
    /// - Returns: How it ended.
    @discardableResult
    public func setContext(_ context: FlagContext, timeout: TimeInterval = 5) async -> FlagUpdateOutcome {
        await core.change(to: context, timeout: timeout)
    }

    /// Connects anew for a context: cuts what is under way, ends a pause, and asks for all values, whatever the client
    /// has.
    ///
    /// For code that decides itself when there are connections, and knows that the network of now is another one: a
    /// request that hangs does not keep this call waiting. Waits that the service asked for are kept to all the same. On
    /// a client that was not started it is ``start(context:timeout:)``. The values that are there stay until others
    /// come, as ``FlagClientConfiguration/contextSwitch`` says where the context is another one. Calls that wait return
    /// ``FlagUpdateOutcome/superseded``.
    ///
    /// - Parameters:
    ///   - context: Whom the flags are evaluated for from now on.
    ///   - timeout: How long to wait at most, in seconds. Default 5. 0 does not wait.
    /// - Returns: How it ended.
    @discardableResult
    public func reconnect(context: FlagContext, timeout: TimeInterval = 5) async -> FlagUpdateOutcome {
        await core.reconnect(for: context, timeout: timeout)
    }

    /// Asks the service for the current values with a request that starts after this call.
    ///
    /// Also gets a client going again that the service had refused.
    ///
    /// - Parameter timeout: How long to wait at most, in seconds. Default 5. 0 does not wait.
    /// - Returns: How it ended.
    @discardableResult
    public func refresh(timeout: TimeInterval = 5) async -> FlagUpdateOutcome {
        await core.refresh(timeout: timeout)
    }

    /// Ends all work for good: requests and streams are cut, waiting calls return
    /// ``FlagUpdateOutcome/closed``, sequences end.
    ///
    /// Values are stored, and what is to be reported is stored and sent once, which takes 5 seconds at most, whatever
    /// network and disk do; then this returns. Reads go on giving the last values. Calling it again does nothing.
    public func close() async {
        await core.shutDown()
    }

    /// Ends all work for good like ``close()``, for code that cannot wait.
    ///
    /// Requests and streams are cut when this returns, and all sequences are ending. What is to be stored and reported
    /// is, within 5 seconds and for as long as the process lives; the client is kept until then. Calling it again does
    /// nothing.
    public func finish() {
        core.end()
        guard core.hasRest else { return }
        // Nobody's to cancel: it is over within the limits of `close()`, and holds what it works with.
        Task.detached { [self] in await close() }
    }

    /// What the client is doing now.
    public var status: FlagClientStatus { core.status }

    /// The context that was set last.
    public var context: FlagContext { core.context }
}
