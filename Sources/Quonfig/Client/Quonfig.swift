import FlagLocking
package import Flagstaff
public import Foundation

/// Flags and configs for one context, kept up to date: the object an app holds on to.
///
/// Reads come from memory at any time, from any thread. ``shutdown()``, or letting go of the last reference, ends all of
/// its work.
///
/// ```swift
/// let quonfig = try await Quonfig.initialize(
///     context: QuonfigContext(["user": ["key": "u_123"]]), options: .init(sdkKey: "YOUR_FRONTEND_SDK_KEY"))
/// ```
public final class Quonfig: Sendable {
    let client: FlagClient
    private let logger: any FlagLogger
    /// How long a change of context is waited for: all addresses may hang, one after the other.
    private let updateLimit: TimeInterval
    private let given: Lock<QuonfigContext>

    /// Makes a client over a native one, which nobody else may use.
    ///
    /// - Parameters:
    ///   - client: The native client, made with what `configuration` asks for.
    ///   - context: Whom flags are evaluated for.
    ///   - logger: Where warnings go.
    ///   - updateLimit: How long a change of context is waited for, in seconds.
    package init(
        _ client: FlagClient, context: QuonfigContext, logger: any FlagLogger, updateLimit: TimeInterval = 15
    ) {
        self.client = client
        self.logger = logger
        self.updateLimit = updateLimit
        given = Lock(context)
    }

    // MARK: Life

    /// Makes a client, and returns once there are values: the service's, else those that the device has stored for the
    /// context, else none.
    ///
    /// Takes no longer than `initTimeout`, whatever the network does; the client goes on trying. Stored values are in
    /// effect where the service is late or cannot be reached.
    ///
    /// - Parameters:
    ///   - sdkKey: The frontend SDK key, a client key of the service. `options` win over it.
    ///   - context: Whom flags are evaluated for.
    ///   - options: What can be chosen. Default: all defaults.
    ///   - initTimeout: How long to wait for values, in seconds. Default 5.
    /// - Throws: ``QuonfigInitError/missingSDKKey`` where there is no key, or a blank one; nothing else.
    /// - Returns: The client.
    @discardableResult
    public static func initialize(
        sdkKey: String? = nil, context: QuonfigContext, options: Configuration? = nil,
        initTimeout: TimeInterval = 5
    ) async throws -> Quonfig {
        let configuration = options ?? Configuration(sdkKey: sdkKey ?? "")
        let quonfig = try configuration.makeClient(for: context)
        await quonfig.start(timeout: initTimeout)
        return quonfig
    }

    /// Starts the native client.
    package func start(timeout: TimeInterval) async {
        await client.start(context: context.flagContext(logger: logger), timeout: timeout)
    }

    /// Evaluates flags for another context from now on, and returns once its values are here or could not be fetched.
    ///
    /// Until then reads give what the device has stored for it, else the code's defaults. The same context again keeps its
    /// values, and asks once. After ``shutdown()`` it does nothing.
    ///
    /// - Parameter context: Whom flags are evaluated for.
    /// - Throws: Nothing so far.
    public func updateContext(_ context: QuonfigContext) async throws {
        given.withLock { $0 = context }
        await client.setContext(context.flagContext(logger: logger), timeout: updateLimit)
    }

    /// Ends all work for good: polls stop, and what was counted is reported once more, within 5 seconds.
    ///
    /// Reads go on giving the last values, and are no longer counted. Reports that wait on the device are sent by the next
    /// client. Calling it again does nothing.
    public func shutdown() async {
        await client.close()
    }

    // MARK: State

    /// The context that was given last.
    public var context: QuonfigContext { given.withLock { $0 } }

    /// Whether there are values to read, which may be none: always, once ``initialize(sdkKey:context:options:initTimeout:)``
    /// has returned.
    public var isReady: Bool { true }

    // MARK: Changes

    /// Calls back after every change of values from now on, on the main thread.
    ///
    /// Not at registration, and not when a poll brings nothing new. Changes in quick succession are told once.
    ///
    /// - Parameter body: Called after a change; read there what is of interest.
    /// - Returns: What keeps the callback registered: let go of it, or cancel it, to end the calls.
    public func subscribe(_ body: @escaping @Sendable () -> Void) async -> SubscriptionToken {
        SubscriptionToken(client.onChange(on: .main) { _ in body() })
    }
}
