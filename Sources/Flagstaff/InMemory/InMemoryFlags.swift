private import Foundation

/// Flags whose values the code sets, and a client that serves them: for previews, and for views under test.
///
/// The client is the real one and ready at once. It opens no socket, sets no timer, touches no disk and reports
/// nothing. Its context can be changed; the values stay the same for each.
///
/// ```swift
/// let flags = InMemoryFlags(["new-checkout": true, "max-items": 20])
/// CheckoutView().flagClient(flags.client)
/// flags.setValue(false, for: "new-checkout")
/// ```
///
/// Where the values need not change, ``FlagClient/inMemory(_:context:)`` is shorter. Can be used from any thread.
public final class InMemoryFlags: Sendable {
    /// The client that serves the values.
    ///
    /// It works on when these flags are let go of.
    public let client: FlagClient
    private let transport: InMemoryTransport

    /// Makes flags and starts their client.
    ///
    /// - Parameters:
    ///   - values: The values by the flags' keys. Numbers must be finite.
    ///   - context: The client's context. Default: an empty one.
    public init(_ values: [String: FlagValue] = [:], context: FlagContext = FlagContext()) {
        transport = InMemoryTransport(values)
        client = FlagClient(inMemory: transport)
        client.core.handle(.change(context, Waiter(id: 0, timeout: 0)))
    }

    /// The values by the flags' keys.
    public var values: [String: FlagValue] { transport.values }

    /// Sets a flag's value; the flag need not exist.
    ///
    /// When this returns, reads give the value and watchers are told. With two threads that set values at a time, that
    /// holds when both have returned, and from within a callback on ``FlagCallbackExecutor/immediate`` when that has.
    ///
    /// - Parameters:
    ///   - value: The value, usually a literal. Numbers must be finite.
    ///   - key: The flag's key.
    public func setValue(_ value: FlagValue, for key: String) {
        transport.change { $0[key] = value }
    }

    /// Removes a flag: reads give the default again.
    ///
    /// - Parameter key: The flag's key.
    public func removeValue(for key: String) {
        transport.change { $0[key] = nil }
    }

    /// Replaces all values in one step.
    ///
    /// - Parameter values: The values by the flags' keys. Numbers must be finite.
    public func replaceValues(_ values: [String: FlagValue]) {
        transport.change { $0 = values }
    }
}

extension FlagClient {
    /// A client that serves values of the code and is ready at once: for previews, and for views under test.
    ///
    /// It opens no socket, sets no timer, touches no disk and reports nothing. Where the values are to change,
    /// use ``InMemoryFlags``.
    ///
    /// - Parameters:
    ///   - values: The values by the flags' keys. Numbers must be finite.
    ///   - context: The client's context. Default: an empty one.
    /// - Returns: The client.
    public static func inMemory(
        _ values: [String: FlagValue] = [:], context: FlagContext = FlagContext()
    ) -> FlagClient {
        InMemoryFlags(values, context: context).client
    }

    fileprivate convenience init(inMemory transport: InMemoryTransport) {
        // Never asked for, as nothing of it leaves the process.
        guard let endpoint = URL(string: "http://in-memory.invalid") else {
            preconditionFailure("the address of values in memory is no URL")
        }
        var configuration = FlagClientConfiguration(endpoint: endpoint)
        configuration.telemetry.isEnabled = false
        guard let service = try? ServiceAddress(configuration) else {
            preconditionFailure("the address of values in memory is no valid endpoint")
        }
        self.init(service: service, configuration: configuration, transport: transport, time: StillTime())
    }
}

/// A time that goes on and whose timers never fire: nothing in memory is ever late.
private struct StillTime: TimeSource {
    private let time = SystemTime()

    func now() -> Moment { time.now() }

    func schedule(after delay: Double, _ body: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        NoTimer()
    }

    private struct NoTimer: ScheduledTimer {
        func cancel() {}
    }
}
